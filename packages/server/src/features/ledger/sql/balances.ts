import type { Db } from '../../../platform/database/db.ts';
import { notStopped } from '../../../platform/database/installation/stopped.ts';
import type { Row } from '../../../platform/database/row.ts';
import { narrowSlice } from '../../../platform/database/slices/narrow-slice.ts';
import { instantAfter } from '../../../platform/time/instant-after.ts';
import { IS_ANCHOR } from './ledger-anchor.ts';
import { addHours, subtractHours } from './ledger-hours.ts';

/** SQL: each amount of a balance as a sum over rows of `ledger_transfers`. */
const SUMS = {
  owed_cents: movedAmounts("credit_account = 'merchant'", "debit_account = 'merchant'"),
  unsettled_cents: movedAmounts("kind = 'captured'", "kind = 'settled'"),
  reserved_cents: movedAmounts("credit_account = 'refunds'", "debit_account = 'refunds'"),
  disputed_cents: movedAmounts("credit_account = 'disputes'", "debit_account = 'disputes'"),
  captured_cents: movedAmounts("kind = 'captured'"),
  settled_cents: movedAmounts("kind = 'settled'"),
  refunded_cents: movedAmounts("kind = 'refunded'"),
  lost_cents: movedAmounts("kind in ('dispute_lost', 'second_chargeback')"),
  fees_cents: movedAmounts("credit_account = 'fees'", "debit_account = 'fees'"),
  paid_out_cents: movedAmounts("kind = 'paid_out'"),
} as const;

/** Amounts of a balance. */
export const AMOUNTS = Object.keys(SUMS);
const eachAmount = (expression: (name: string) => string): string =>
  AMOUNTS.map(expression).join(', ');

function movedAmounts(addedCondition: string, subtractedCondition = 'false'): string {
  return `coalesce(sum(amount_cents) filter (where ${addedCondition}), 0) - coalesce(sum(amount_cents) filter (where ${subtractedCondition}), 0)`;
}

/** SQL: amounts of the balances that the transfers with this condition make. */
export const sumsWhere = (condition: string, transfers = 'ledger_transfers'): string => `
  select merchant_id, mode, amount_currency, ${Object.entries(SUMS)
    .map(([name, sum]) => `${sum} as ${name}`)
    .join(', ')}
  from ${transfers} where ${condition} group by merchant_id, mode, amount_currency`;

/** SQL: the newest transfers. `offset 0` keeps the planner from reading all transfers of some merchants instead. */
const transfersSince = (horizon: string): string =>
  `(select * from ledger_transfers where posted_in >= ${horizon} offset 0) newest`;

/** SQL: current balances of merchants with a condition. Adds later transfers to the stored balances. */
const currentBalances = (horizon: string, merchants: string): string => `
  select merchant_id, mode, amount_currency, ${eachAmount((name) => `sum(${name}) as ${name}`)}
  from (select merchant_id, mode, amount_currency, ${AMOUNTS.join(', ')} from balances where ${merchants}
    union all ${sumsWhere(merchants, transfersSince(horizon))}) both_parts
  group by merchant_id, mode, amount_currency`;

/**
 * Maximum number of transfers that one statement adds to the balances. The transfers of a single
 * transaction are never split.
 */
export const TRANSFERS_MAX = 50_000;
/** Largest stamp of a transfer. */
const STAMP_MAX = 2n ** 63n - 1n;

/**
 * Progress of the balances. Balances include all transfers before the stamp `from`, and can include all
 * transfers before `oldest`.
 */
interface Horizon {
  readonly from: bigint;
  /**
   * First stamp of a running transaction. Undefined until the ledger is anchored in this cluster.
   */
  readonly oldest: bigint | undefined;
}

const READ_HORIZON = `select posted_before, (select pg_snapshot_xmin(pg_current_snapshot())::text::bigint + stamp_offset
  from ledger_anchor where ${IS_ANCHOR}) as oldest from balance_horizon`;

async function readHorizon(db: Db): Promise<Horizon> {
  const [row] = await db.query(READ_HORIZON, [], 'horizon');
  return horizonOf(row);
}

const horizonOf = (row: Row | undefined): Horizon => ({
  from: BigInt(row?.posted_before as string),
  oldest: row?.oldest ? BigInt(row.oldest) : undefined,
});

/**
 * Locks the balances until the transaction ends. Payouts take this lock, so that no money is paid
 * twice.
 */
export async function lockHorizon(tx: Db): Promise<Horizon> {
  const [row] = await tx.query(`${READ_HORIZON} for update of balance_horizon`, [], 'lock_horizon');
  return horizonOf(row);
}

/** Next horizon of the balances, and the number of transactions that remain after it. */
export interface BalanceSlice {
  readonly horizon: bigint;
  readonly transactions_left: bigint;
}

/**
 * The next slice of transfers that the balances lack, at most `transfers_max`. Undefined if the
 * balances are complete.
 */
export async function findNextSlice(
  db: Db,
  transfers_max: number = TRANSFERS_MAX,
): Promise<BalanceSlice | undefined> {
  const { from, oldest } = await readHorizon(db);
  if (oldest === undefined) return undefined;
  const countTransfersUntil = (to: bigint): Promise<number> =>
    countTransfersBetween(db, from, to, transfers_max + 1);
  const count = await countTransfersUntil(oldest);
  if (count === 0) return undefined;
  const isSmall = async (to: bigint): Promise<boolean> =>
    (await countTransfersUntil(to)) <= transfers_max;
  const horizon = count <= transfers_max ? oldest : await narrowSlice(from, oldest, isSmall);
  return { horizon, transactions_left: oldest - horizon };
}

/** Number of transfers between two stamps, up to `limit`. */
export async function countTransfersBetween(
  db: Db,
  from: bigint,
  to: bigint,
  limit: number,
): Promise<number> {
  const [row] = await db.query(
    `select count(*) from (select from ledger_transfers where posted_in >= $1 and posted_in < $2 limit $3) lacking`,
    [String(from), String(to), limit],
    'balances_lack',
    'kept',
  );
  return Number(row?.count);
}

/** Whether the balances lack more transfers than one statement can add. */
export async function needsSeveralSteps(
  db: Db,
  transfers_max: number = TRANSFERS_MAX,
): Promise<boolean> {
  const { from } = await readHorizon(db);
  return (await countTransfersBetween(db, from, STAMP_MAX, transfers_max + 1)) > transfers_max;
}

/**
 * Time of the oldest transfer that the balances lack, among the first `TRANSFERS_MAX`. Undefined if
 * the balances are complete.
 */
export async function findMissingSince(db: Db): Promise<string | undefined> {
  const { from } = await readHorizon(db);
  const [row] = await db.query(
    `select min(created_at) as since from (select created_at from ledger_transfers
       where posted_in >= $1 limit $2) lacking`,
    [String(from), TRANSFERS_MAX],
    'balances_lack_since',
  );
  return row?.since ?? undefined;
}

/**
 * Adds missing transfers up to `horizon` to the balances. All transactions before `horizon` must
 * have ended.
 */
export async function addTransfers(tx: Db, horizon: bigint, at: string): Promise<void> {
  const { from, oldest = from } = await lockHorizon(tx);
  if (horizon <= from || horizon > oldest) return;
  await tx.query(
    `with slice as materialized (select * from ledger_transfers where posted_in >= $1 and posted_in < $2),
       hours as (${addHours('slice')})
     insert into balances (merchant_id, mode, id, amount_currency, ${AMOUNTS.join(', ')}, created_at, updated_at)
     select merchant_id, mode, uuid7($3), amount_currency, ${AMOUNTS.join(', ')}, $3, $3
     from (${sumsWhere('true', 'slice')}) s order by merchant_id, mode, amount_currency
     on conflict (merchant_id, mode, amount_currency) do update set
       ${eachAmount((name) => `${name} = balances.${name} + excluded.${name}`)},
       updated_at = greatest(excluded.updated_at, ${instantAfter('balances.updated_at')})`,
    [String(from), String(horizon), at],
    'bring_forward',
  );
  await tx.query(
    'update balance_horizon set posted_before = $1',
    [String(horizon)],
    'move_horizon',
  );
}

/**
 * Deletes transfers and subtracts them from the balances. `condition` is SQL about
 * `ledger_transfers t`.
 */
export async function removeTransfers(
  tx: Db,
  condition: string,
  values: readonly unknown[],
): Promise<void> {
  const { from } = await lockHorizon(tx);
  await tx.query(
    `with gone as (delete from ledger_transfers t where ${condition} returning *),
       counted as (select * from gone where posted_in < $${values.length + 1}),
       hours as (${subtractHours('counted')}),
       taken as (select merchant_id, mode, amount_currency, ${Object.entries(SUMS)
         .map(([name, sum]) => `${sum} as ${name}`)
         .join(', ')}
         from counted group by merchant_id, mode, amount_currency)
     update balances b set ${eachAmount((name) => `${name} = b.${name} - g.${name}`)}
     from taken g where b.merchant_id = g.merchant_id and b.mode = g.mode
       and b.amount_currency = g.amount_currency`,
    [...values, String(from)],
  );
}

/** SQL: stamps of the transfers that this statement sees: those below `paid_below` without `paid_without`. */
const SEEN_STAMPS = `select pg_snapshot_xmax(pg_current_snapshot())::text::bigint + stamp_offset as paid_below,
  (select coalesce(array_agg(id::text::bigint + stamp_offset), '{}') from pg_snapshot_xip(pg_current_snapshot()) id)
    as paid_without
  from ledger_anchor where ${IS_ANCHOR}`;

/** SQL: balances of mode $1 with at least $2 cents to pay out, by the horizon $3, with more conditions. */
const payableWhere = (merchants: string, condition: string): string => `
  select b.merchant_id, b.mode, b.amount_currency, b.owed_cents - b.unsettled_cents as available_cents,
    s.paid_below, s.paid_without
  from (${currentBalances('$3', merchants)}) b
  left join (${SEEN_STAMPS}) s on true
  where b.mode = $1 and b.owed_cents - b.unsettled_cents >= $2 and ${condition}
  order by b.merchant_id, b.amount_currency`;

/**
 * Balances of a mode with at least `least_cents` to pay out, of the merchants in a range. Excludes balances that were
 * paid out for `day`. Payouts on request do not count. Balances of merchants that move wait for the next day.
 */
export const findPayable = (
  tx: Db,
  { mode, day, least_cents, after, through, horizon }: PayableOptions,
): Promise<Row[]> =>
  tx.query(
    payableWhere(
      'merchant_id > $4 and merchant_id <= $5',
      `${notStopped('b.merchant_id')} and not exists (select from payouts p
         where p.merchant_id = b.merchant_id and p.mode = b.mode and p.settled_on = $6
           and p.amount_currency = b.amount_currency and p.requested_at is null)`,
    ),
    [mode, least_cents, String(horizon), after, through, day],
    'payable',
  );

/** Balances of a merchant's sandbox with at least `least_cents` to pay out. */
export const findPayableOf = (
  tx: Db,
  merchant_id: string,
  { least_cents, horizon }: Pick<PayableOptions, 'least_cents' | 'horizon'>,
): Promise<Row[]> =>
  tx.query(
    payableWhere('merchant_id = $4', 'true'),
    ['sandbox', least_cents, String(horizon), merchant_id],
    'payable_on_request',
  );

export interface PayableOptions {
  readonly mode: string;
  readonly day: string;
  readonly least_cents: number;
  /** Merchants beyond the first id, up to the second. */
  readonly after: string;
  readonly through: string;
  /** Stamp up to which the locked balances include transfers. */
  readonly horizon: bigint;
}
