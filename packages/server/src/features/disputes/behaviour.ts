import type { Behaviour, RequestContext } from '../../jsonapi/behaviour.ts';
import type { Micros } from '../../kernel/clock.ts';
import type { Row } from '../../store/row.ts';
import { updaterOf } from '../records/plain.ts';
import type { Decision } from '../records/updater.ts';
import type { Services } from '../services.ts';
import { decideAccept, decideEvidence, decideSubmit } from './decide.ts';

/** Evidence is written bit by bit, and goes to the bank once, when it is submitted. */
export function disputeBehaviour(services: Services): Behaviour {
  const model = services.models.get('disputes');
  const update = updaterOf(services, model);
  const change = async (
    { scope, if_match, idempotency }: RequestContext,
    id: string,
    decide: (row: Row, now: Micros) => Decision,
  ): Promise<Row> => {
    const row = await update({ scope, id, if_match, idempotency, decide });
    services.wake.deliver.raise();
    services.wake.dispute.raise();
    return row;
  };
  return {
    update: (ctx, id, _input, columns) =>
      change(ctx, id, (row, now) => decideEvidence(row, columns, now)),
    actions: {
      submit: (ctx, id) => change(ctx, id, decideSubmit),
      accept: (ctx, id) => change(ctx, id, decideAccept),
    },
  };
}
