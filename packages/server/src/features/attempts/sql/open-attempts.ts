import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { OPEN_ATTEMPTS } from '../../records/sql/open-attempts.ts';

/** SQL: a capture or refund with a receipt waits for its notification, which is not late yet. */
const WAITS_FOR_NOTIFICATION = `operation in ('capture', 'refund') and status = 'unknown'
  and processor_reference is not null and due_at is not null`;

/**
 * Counts, for each instant, the attempts of all merchants that have lacked an outcome since before
 * it. Counts have the order of `instants`. Leaves out those that wait for a notification in time, of
 * accounts in `notifying_accounts`.
 */
export async function countOpenAttemptsSince(
  db: Db,
  instants: readonly string[],
  notifying_accounts: readonly string[] = [],
): Promise<number[]> {
  const counts = instants.map((_, at) => `count(*) filter (where since <= $${at + 1}) as c${at}`);
  const [row] = await db.query(
    `select ${counts.join(', ')} from (select coalesce(unknown_since, updated_at) as since
       from ${OPEN_ATTEMPTS} attempts where not (${WAITS_FOR_NOTIFICATION}
         and coalesce(processor_account_id = any ($${instants.length + 1}::uuid[]), false))) open`,
    [...instants, notifying_accounts],
    `open_attempts_${instants.length}`,
  );
  return instants.map((_, at) => Number(row?.[`c${at}`]));
}

/** Number of attempts whose outcome an operator finds out, by mode. */
export const countOperatorAttempts = (db: Db): Promise<Row[]> =>
  db.query(
    `select mode, count(*) as count from attempts
     where status in ('unknown', 'reversing') and due_at is null group by mode`,
    [],
    'operator_attempts',
  );

/** Counts attempts without an outcome by account; null is the simulated network. Attempts of operators count. */
export const countOpenAttemptsByAccount = (db: Db): Promise<Row[]> =>
  db.query(
    `select processor_account_id as account, count(*) as count from ${OPEN_ATTEMPTS} open
     group by processor_account_id`,
    [],
    'open_attempts_by_account',
  );

/**
 * Prevents further sends of captures and refunds without an outcome, whose idempotency keys are lost. Returns their number.
 * A payment is sent again as another attempt, so it needs no earlier key.
 */
export async function markKeysLost(tx: Db, at: string): Promise<number> {
  const rows = await tx.query(
    `update attempts set key_lost_at = $1
     where operation in ('capture', 'refund') and status in ('sending', 'unknown') returning id`,
    [at],
    'mark_keys_lost',
  );
  return rows.length;
}

/**
 * Prevents further sends of sandbox payments without an outcome: sets their count of repeated sends
 * to `resent_max`.
 */
export async function preventResend(tx: Db, resent_max: number): Promise<void> {
  await tx.query(
    `update payment_demands p set resent_count = $1 from attempts a
     where a.merchant_id = p.merchant_id and a.payment_demand_id = p.id and a.mode = 'sandbox'
       and a.operation = 'authorise' and a.status in ('sending', 'unknown', 'reversing')`,
    [resent_max],
    'keep_from_resending',
  );
}
