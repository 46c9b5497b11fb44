import { problem } from '@florin/contract/errors.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import type { Scope } from '../../platform/database/scope.ts';
import { violatedConstraint } from '../../platform/database/wire/constraints.ts';
import { subscriptionTo } from './sql/subscriptions.ts';

/** Unique constraint: one subscription per address and set of events. */
const ONE_SUBSCRIPTION = 'webhook_subscriptions_one';

/** Stores a subscription. If another subscription has its address and events, the error names it. */
export async function storeUnique(
  db: Db,
  scope: Scope,
  readWanted: () => Promise<Row> | Row,
  store: () => Promise<Row>,
): Promise<Row> {
  try {
    return await store();
  } catch (error) {
    if (violatedConstraint(error) !== ONE_SUBSCRIPTION) throw error;
    throw existsError(await subscriptionTo(db, scope, await readWanted()));
  }
}

/** Error for a duplicate subscription. Has no id if the other one was deleted before the lookup. */
const existsError = (id: string | undefined): Error =>
  problem(
    'subscription_exists',
    'Another webhook subscription sends the same events to this URL. Update or archive that subscription.',
    { pointer: '/data/attributes/url' },
    id === undefined ? {} : { meta: { webhook_subscription: id } },
  );
