import type { Behaviour, RequestContext } from '../../jsonapi/behaviour.ts';
import type { Model } from '../../jsonapi/model.ts';
import type { Row } from '../../platform/database/row.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { customerMerged } from '../records/customer-merged.ts';
import { plainBehaviour, updaterOf } from '../records/plain.ts';
import { conditionsOf, type Decision, type Updater } from '../records/updater.ts';

/** Behaviour of customers. Blocking is a separate action with a permission of its own. */
export function customerBehaviour(services: Services, model: Model): Behaviour {
  const update = updaterOf(services, model);
  return {
    ...plainBehaviour(services, model),
    update: (ctx, id, _input, columns) =>
      update({
        ...conditionsOf(ctx, id),
        columns,
        decide(row, _now, set) {
          requireUnmerged(row);
          return { set, events: ['updated'] };
        },
      }),
    actions: {
      block: (ctx, id) =>
        changeBlocked(services, update, ({ blocked_at }, at) => blocked_at ?? at, ctx, id),
      unblock: (ctx, id) => changeBlocked(services, update, () => null, ctx, id),
    },
  };
}

/** Throws 422 for a customer who was merged: a change would be lost, since nobody reads the record. */
function requireUnmerged({ merged_into_id }: Row): void {
  if (merged_into_id) throw customerMerged(merged_into_id, '/data');
}

async function changeBlocked(
  services: Services,
  update: Updater,
  decideBlockedAt: (row: Row, at: string) => string | null,
  { scope, if_match, idempotency }: RequestContext,
  id: string,
): Promise<Row> {
  const row = await update({
    scope,
    id,
    if_match,
    idempotency,
    decide(before, now) {
      requireUnmerged(before);
      return setBlocked(before, decideBlockedAt(before, instantText(now)));
    },
  });
  services.wake.deliver.raise();
  return row;
}

function setBlocked(
  { blocked_at: previousBlockedAt = null }: Row,
  blocked_at: string | null,
): Decision {
  return previousBlockedAt === blocked_at
    ? { set: {}, events: [] }
    : { set: { blocked_at }, events: ['updated'] };
}
