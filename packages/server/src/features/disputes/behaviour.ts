import type { Behaviour, RequestContext } from '../../jsonapi/behaviour.ts';
import type { Row } from '../../platform/database/row.ts';
import type { Services } from '../../services.ts';
import { updaterOf } from '../records/plain.ts';
import { conditionsOf, type UpdateItem, type Updater } from '../records/updater.ts';
import { decideAccept, decideEvidence, decideSubmit } from './decide.ts';
import { createAnswerRefusal } from './refuse-answers.ts';

/** Behaviour of disputes. Merchants edit evidence until they submit it, which is possible once. */
export function disputeBehaviour(services: Services): Behaviour {
  const model = services.models.get('disputes');
  const update = updaterOf(services, model);
  const submit = updaterOf(services, model, { refuse: createAnswerRefusal(services, true) });
  const accept = updaterOf(services, model, { refuse: createAnswerRefusal(services, false) });
  const changeInAction = async (
    updater: Updater,
    ctx: RequestContext,
    id: string,
    decide: UpdateItem['decide'],
    columns?: Row,
  ): Promise<Row> => {
    const row = await updater({ ...conditionsOf(ctx, id), decide, ...(columns && { columns }) });
    services.wake.deliver.raise();
    services.wake.dispute.raise();
    return row;
  };
  return {
    update: (ctx, id, _input, columns) =>
      changeInAction(
        update,
        ctx,
        id,
        (row, now, changes) => decideEvidence(row, changes, now),
        columns,
      ),
    actions: {
      submit: (ctx, id) => changeInAction(submit, ctx, id, decideSubmit),
      accept: (ctx, id) => changeInAction(accept, ctx, id, decideAccept),
    },
  };
}
