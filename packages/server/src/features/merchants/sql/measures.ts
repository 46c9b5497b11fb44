import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { scopeText } from '../../../platform/database/scope.ts';

/** The hardest measure in force against a merchant in a mode, both given as SQL expressions; `ban` sorts first. */
export const measureSql = (merchant_id: string, mode: string): string =>
  `(select min(p.action) from merchant_punitive_actions p
     where p.merchant_id = ${merchant_id} and p.mode = ${mode} and p.status = 'in_force')`;

/** The key of the advisory lock on whether a merchant, given as an SQL expression, may charge anybody. */
const standingLock = (merchant_id: string): string =>
  `hashtextextended('standing ' || ${merchant_id}, 0)`;

/**
 * Waits until nothing of the merchant is being taken up, and has what comes meanwhile wait until the transaction ends. It is
 * no lock of the merchant's row: on that one whoever shares it would not let the one pass who waits for all of them.
 */
export const lockStanding = (tx: Db, merchant_id: string): Promise<unknown> =>
  tx.query(`select pg_advisory_xact_lock(${standingLock('$1')})`, [merchant_id], 'lock_standing');

/**
 * The rows, each of some merchant and mode, whose merchant may not charge anybody in that mode now. None is stopped until
 * the transaction ends: what it takes up is committed before a measure is, or does not pass here.
 */
export async function stoppedAmong(tx: Db, rows: readonly Row[]): Promise<ReadonlySet<Row>> {
  if (rows.length === 0) return new Set();
  // All in one order: between two that wait for one another may stand who wants the lock alone.
  const merchants = [...new Set(rows.map(({ merchant_id }) => merchant_id as string))].sort();
  // A statement of its own: the one that looks must see what was committed while this one waited.
  await tx.query(
    `select pg_advisory_xact_lock_shared(${standingLock('id')}) from unnest($1::text[]) id`,
    [merchants],
    'share_standing',
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

/** The measures in force against a merchant, locked, in these modes. */
export const lockMeasures = (
  tx: Db,
  merchant_id: string,
  modes: readonly string[],
): Promise<Row[]> =>
  tx.query(
    `select * from merchant_punitive_actions
     where merchant_id = $1 and mode = any ($2::text[]) and status = 'in_force'
     order by id for no key update`,
    [merchant_id, modes],
    'lock_measures',
  );

/** Subscriptions that are waited for no longer at once; the others come when their time does. */
const RELEASED_MAX = 5_000;

/** What was put off while a merchant was held back in the modes is due again. */
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
