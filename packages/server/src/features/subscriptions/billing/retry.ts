import type { Db } from '../../../platform/database/db.ts';
import type { IdempotencyKey } from '../../../platform/database/idempotency.ts';
import type { Row } from '../../../platform/database/row.ts';
import { keyOf, keyText, type RowKey } from '../../../platform/database/row-key.ts';
import { lockRows } from '../../../platform/database/transition.ts';
import { instantText, type Micros } from '../../../platform/time/clock.ts';
import type { Services } from '../../../services.ts';
import { applyDemandDecisions } from '../../attempts/apply-demand-decisions.ts';
import { subscriptionOf } from '../../payments/columns.ts';
import { storeKeys } from '../../records/keys.ts';
import type { Decision } from '../../records/updater.ts';

/** Charge and subscription after a retry. */
interface RetryResult {
  readonly charge: Row;
  readonly subscription: Row;
}

/** Decides from both locked rows. Throws if the charge cannot be retried. */
type DecideRetry = (charge: Row, subscription: Row, now: Micros) => Decision;

/**
 * Retries a charge. The idempotency key belongs to `addressedRow`, the record that the client addressed.
 */
export const retryCharge = (
  services: Services,
  charge: Row,
  addressedRow: Row,
  { idempotency }: { readonly idempotency?: IdempotencyKey | undefined },
  decide: DecideRetry,
): Promise<RetryResult> =>
  services.db.transaction(async (tx) => {
    const now = services.clock.now();
    const lockedCharge = await lockOne(tx, 'payment_demands', keyOf(charge));
    const subscription = await lockOne(tx, 'payment_subscriptions', subscriptionOf(charge));
    const change = { before: lockedCharge, ...decide(lockedCharge, subscription, now) };
    const keyed = { id: addressedRow.id as string, idempotency };
    const [storedKey] = await storeKeys(tx, services.catalog, [keyed], [change], instantText(now));
    if (storedKey instanceof Error) throw storedKey;
    const [changedCharge] = await applyDemandDecisions(services, tx, 'payment_demands', now, [
      change,
    ]);
    return {
      charge: changedCharge?.after ?? lockedCharge,
      subscription: await lockOne(tx, 'payment_subscriptions', subscriptionOf(charge)),
    };
  });

async function lockOne(tx: Db, table: string, key: RowKey): Promise<Row> {
  const rows = await lockRows(tx, table, [key]);
  return rows.get(keyText(key)) as Row;
}
