import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { scopeText } from '../../../platform/database/scope.ts';

/**
 * SQL: the strictest enforcement action against a merchant in a mode (`ban` sorts first). Both
 * arguments are SQL expressions.
 */
export const enforcementActionSql = (merchant_id: string, mode: string): string =>
  `(select min(p.action) from merchant_punitive_actions p
     where p.merchant_id = ${merchant_id} and p.mode = ${mode} and p.status = 'in_force')`;

/** SQL: key of the advisory lock on a merchant's status. `merchant_id` is an SQL expression. */
const merchantStatusLock = (merchant_id: string): string =>
  `hashtextextended('standing ' || ${merchant_id}, 0)`;

/**
 * Waits until running claims of the merchant's work have ended, and blocks new claims until the transaction ends.
 * An advisory lock: row share locks would starve the writer that waits for all of them.
 */
export const lockMerchantStatus = (tx: Db, merchant_id: string): Promise<unknown> =>
  tx.query(
    `select pg_advisory_xact_lock(${merchantStatusLock('$1')})`,
    [merchant_id],
    'lock_merchant_status',
  );

/**
 * Rows of merchants that may not charge in the row's mode now. Blocks enforcement actions until the
 * transaction ends: claimed work commits before an action, or is not claimed.
 */
export async function filterStopped(tx: Db, rows: readonly Row[]): Promise<ReadonlySet<Row>> {
  if (rows.length === 0) return new Set();
  // Locks in sorted order. Otherwise two claims and a waiting exclusive lock could deadlock.
  const merchants = [...new Set(rows.map(({ merchant_id }) => merchant_id as string))].sort();
  // Takes the locks in a statement of its own, so that the next statement sees changes committed
  // meanwhile.
  await tx.query(
    `select pg_advisory_xact_lock_shared(${merchantStatusLock('id')}) from unnest($1::text[]) id`,
    [merchants],
    'share_merchant_status',
  );
  const stoppedScopes = await tx.query(
    `select distinct merchant_id, mode from merchant_punitive_actions
     where status = 'in_force' and merchant_id = any ($1::uuid[])`,
    [merchants],
    'stopped_among',
  );
  const keys = new Set(stoppedScopes.map(scopeText));
  return new Set(rows.filter((row) => keys.has(scopeText(row))));
}

/**
 * Blocks enforcement actions against these merchants until the transaction ends, without a wait. Leaves out merchants
 * with an action that is being taken.
 */
export async function tryShareMerchantStatus(
  tx: Db,
  merchants: readonly string[],
): Promise<ReadonlySet<string>> {
  const shared = await tx.query(
    `select id from unnest($1::text[]) id
     where pg_try_advisory_xact_lock_shared(${merchantStatusLock('id')})`,
    [merchants],
    'try_share_merchant_status',
  );
  return new Set(shared.map(({ id }) => id as string));
}

/** Locks and returns the current enforcement actions against a merchant in these modes. */
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

/**
 * Maximum number of subscriptions that become due immediately. The others are billed at their next
 * due time.
 */
const RELEASED_MAX = 5_000;

/**
 * Makes deferred billing of a merchant due, after the end of an enforcement action in these modes.
 */
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
