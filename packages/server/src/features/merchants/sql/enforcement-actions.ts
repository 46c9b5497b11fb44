import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { scopeText } from '../../../platform/database/scope.ts';

/**
 * The strictest enforcement action against a merchant in a mode, both SQL expressions; `ban` sorts
 * first.
 */
export const enforcementActionSql = (merchant_id: string, mode: string): string =>
  `(select min(p.action) from merchant_punitive_actions p
     where p.merchant_id = ${merchant_id} and p.mode = ${mode} and p.status = 'in_force')`;

/** Key of the advisory lock on a merchant's right to charge; the merchant is an SQL expression. */
const merchantStatusLock = (merchant_id: string): string =>
  `hashtextextended('standing ' || ${merchant_id}, 0)`;

/**
 * Waits until no work of the merchant is being claimed, and blocks claims until the transaction
 * ends. An advisory lock, since row share locks would starve the writer that waits for all of them.
 */
export const lockMerchantStatus = (tx: Db, merchant_id: string): Promise<unknown> =>
  tx.query(
    `select pg_advisory_xact_lock(${merchantStatusLock('$1')})`,
    [merchant_id],
    'lock_merchant_status',
  );

/**
 * Rows whose merchant may not charge in their mode now. Prevents enforcement actions until the
 * transaction ends: claimed work commits before such an action, or is not claimed.
 */
export async function stoppedAmong(tx: Db, rows: readonly Row[]): Promise<ReadonlySet<Row>> {
  if (rows.length === 0) return new Set();
  // One order for all: an exclusive waiter may stand between two shared ones.
  const merchants = [...new Set(rows.map(({ merchant_id }) => merchant_id as string))].sort();
  // A separate statement, which must see what was committed while the lock waited.
  await tx.query(
    `select pg_advisory_xact_lock_shared(${merchantStatusLock('id')}) from unnest($1::text[]) id`,
    [merchants],
    'share_merchant_status',
  );
  const stopped = await tx.query(
    `select distinct merchant_id, mode from merchant_punitive_actions
     where status = 'in_force' and merchant_id = any ($1::uuid[])`,
    [merchants],
    'stopped_among',
  );
  const keys = new Set(stopped.map(scopeText));
  return new Set(rows.filter((row) => keys.has(scopeText(row))));
}

/** Enforcement actions in force against a merchant in these modes, locked. */
export const lockEnforcementActions = (
  tx: Db,
  merchant_id: string,
  modes: readonly string[],
): Promise<Row[]> =>
  tx.query(
    `select * from merchant_punitive_actions
     where merchant_id = $1 and mode = any ($2::text[]) and status = 'in_force'
     order by id for no key update`,
    [merchant_id, modes],
    'lock_enforcement_actions',
  );

/** Subscriptions made due immediately; the others are billed at their next due time. */
const RELEASED_MAX = 5_000;

/** Makes billing due again that was deferred while the merchant was blocked in the modes. */
export async function releaseBilling(
  tx: Db,
  merchant_id: string,
  modes: readonly string[],
  now: string,
): Promise<void> {
  await tx.query(
    `update payment_subscriptions t set put_aside_until = null
     from (select merchant_id, id from payment_subscriptions
       where merchant_id = $1 and mode = any ($2::text[]) and due_at > $3 and put_aside_until > $3
       order by due_at limit ${RELEASED_MAX} for no key update skip locked) aside
     where t.merchant_id = aside.merchant_id and t.id = aside.id`,
    [merchant_id, modes, now],
    'release_billing',
  );
}
