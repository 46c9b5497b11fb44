import type { Db } from './db.ts';
import { DIFFERENCES_MAX } from './ledger-check.ts';
import type { Row } from './row.ts';

/** What transfers do to each amount of a balance, as sums over rows of `ledger_transfers`. */
const SUMS = {
  owed_cents: moved("credit_account = 'merchant'", "debit_account = 'merchant'"),
  unsettled_cents: moved("kind = 'captured'", "kind = 'settled'"),
  reserved_cents: moved("credit_account = 'refunds'", "debit_account = 'refunds'"),
  disputed_cents: moved("credit_account = 'disputes'", "debit_account = 'disputes'"),
  fees_cents: moved("credit_account = 'fees'", "debit_account = 'fees'"),
  paid_out_cents: moved("kind = 'paid_out'"),
} as const;

const AMOUNTS = Object.keys(SUMS);
const amounts = (expression: (name: string) => string): string =>
  AMOUNTS.map(expression).join(', ');

function moved(added: string, taken = 'false'): string {
  return `coalesce(sum(amount_cents) filter (where ${added}), 0) - coalesce(sum(amount_cents) filter (where ${taken}), 0)`;
}

const sums = (where: string): string => `
  select merchant_id, mode, amount_currency, ${Object.entries(SUMS)
    .map(([name, sum]) => `${sum} as ${name}`)
    .join(', ')}
  from ledger_transfers where ${where} group by merchant_id, mode, amount_currency`;

/** Balances as of this statement: as far as they are brought forward, and what came since. */
const current = (horizon: string): string => `
  select merchant_id, mode, amount_currency, ${amounts((name) => `sum(${name}) as ${name}`)}
  from (select merchant_id, mode, amount_currency, ${AMOUNTS.join(', ')} from balances
    union all ${sums(`posted_in >= ${horizon}`)}) both_parts
  group by merchant_id, mode, amount_currency`;

/** Keeps balances as they are until the transaction ends. Whoever pays out holds it, so that nothing is paid twice. */
export async function lockHorizon(tx: Db): Promise<bigint> {
  const [row] = await tx.query(
    `select posted_before, ${IS_AHEAD} from balance_horizon for update`,
    [],
    'lock_horizon',
  );
  if (row?.is_ahead === 't') throw new Error('the balances are those of another cluster');
  return BigInt(row?.posted_before as string);
}

/** A cluster into which a database was dumped counts its transactions anew. */
const IS_AHEAD =
  'posted_before > pg_snapshot_xmax(pg_current_snapshot())::text::bigint as is_ahead';

/** Whether the balances were brought forward by the transactions of another cluster, so that they must be made anew. */
export async function isOfAnotherCluster(db: Db): Promise<boolean> {
  const [row] = await db.query(`select ${IS_AHEAD} from balance_horizon`, [], 'horizon_ahead');
  return row?.is_ahead === 't';
}

/** Has balances begin again from nothing. Waits until nobody writes transfers, and keeps them off meanwhile. */
export async function beginAnew(tx: Db): Promise<void> {
  for (const statement of [
    'lock table ledger_transfers in share row exclusive mode',
    'alter table ledger_transfers disable trigger ledger_transfers_unchanged',
    'update ledger_transfers set posted_in = 0',
    'alter table ledger_transfers enable trigger ledger_transfers_unchanged',
    'delete from balances',
    'update balance_horizon set posted_before = 0',
  ]) {
    await tx.query(statement, []);
  }
}

/**
 * Up to where balances can be brought forward: all transactions below the oldest that is under way have ended. Undefined
 * where there is nothing to add to them.
 */
export async function nextHorizon(db: Db): Promise<bigint | undefined> {
  const [row] = await db.query(
    `select posted_before, pg_snapshot_xmin(pg_current_snapshot())::text as oldest from balance_horizon`,
    [],
    'horizon',
  );
  const range = [row?.posted_before, row?.oldest];
  const [found] = await db.query(
    'select exists (select from ledger_transfers where posted_in >= $1 and posted_in < $2) as behind',
    range,
    'balances_behind',
  );
  return found?.behind === 't' ? BigInt(row?.oldest as string) : undefined;
}

/** Adds the transfers of all transactions before `horizon`, of which none may be under way, that they do not have yet. */
export async function bringForward(tx: Db, horizon: bigint, at: string): Promise<void> {
  const from = await lockHorizon(tx);
  if (horizon <= from) return;
  await tx.query(
    `insert into balances (merchant_id, mode, id, amount_currency, ${AMOUNTS.join(', ')}, created_at, updated_at)
     select merchant_id, mode, uuid7($3), amount_currency, ${AMOUNTS.join(', ')}, $3, $3
     from (${sums('posted_in >= $1 and posted_in < $2')}) s order by merchant_id, mode, amount_currency
     on conflict (merchant_id, mode, amount_currency) do update set
       ${amounts((name) => `${name} = balances.${name} + excluded.${name}`)},
       updated_at = greatest(excluded.updated_at, balances.updated_at + interval '1 microsecond')`,
    [String(from), String(horizon), at],
    'bring_forward',
  );
  await tx.query(
    'update balance_horizon set posted_before = $1',
    [String(horizon)],
    'move_horizon',
  );
}

/** Removes the transfers `t` of a condition, and takes from balances what they had of them. */
export async function takeBack(tx: Db, where: string, values: readonly unknown[]): Promise<void> {
  const horizon = await lockHorizon(tx);
  await tx.query(
    `with gone as (delete from ledger_transfers t where ${where} returning *),
       taken as (select merchant_id, mode, amount_currency, ${Object.entries(SUMS)
         .map(([name, sum]) => `${sum} as ${name}`)
         .join(', ')}
         from gone where posted_in < $${values.length + 1}
         group by merchant_id, mode, amount_currency)
     update balances b set ${amounts((name) => `${name} = b.${name} - g.${name}`)}
     from taken g where b.merchant_id = g.merchant_id and b.mode = g.mode
       and b.amount_currency = g.amount_currency`,
    [...values, String(horizon)],
  );
}

/** Balances of a mode of which at least `least_cents` can be paid out, where nothing was after the settlement of `day`. */
export const payable = (
  tx: Db,
  { mode, day, least_cents, limit, horizon }: PayableOptions,
): Promise<Row[]> =>
  tx.query(
    `select b.merchant_id, b.mode, b.amount_currency, b.owed_cents - b.unsettled_cents as available_cents
     from (${current('$5')}) b
     where b.mode = $1 and b.owed_cents - b.unsettled_cents >= $3 and not exists (select from payouts p
       where p.merchant_id = b.merchant_id and p.mode = b.mode and p.settled_on = $2
         and p.amount_currency = b.amount_currency)
     order by b.merchant_id, b.amount_currency limit $4`,
    [mode, day, least_cents, limit, String(horizon)],
    'payable',
  );

export interface PayableOptions {
  readonly mode: string;
  readonly day: string;
  readonly least_cents: number;
  readonly limit: number;
  /** As it is locked. */
  readonly horizon: bigint;
}

/** Balances that are not the sums of their transfers, with what they should be. */
export const balanceDifferences = (db: Db): Promise<Row[]> =>
  db.query(
    `select merchant_id, mode, amount_currency, ${amounts(
      (name) =>
        `coalesce(e.${name}, 0) as expected_${name}, coalesce(b.${name}, 0) as found_${name}`,
    )}
     from (${sums('true')}) e full join (${current('(select posted_before from balance_horizon)')}) b using (merchant_id, mode, amount_currency)
     where (${amounts((name) => `coalesce(e.${name}, 0)`)}) is distinct from (${amounts((name) => `coalesce(b.${name}, 0)`)})
     limit ${DIFFERENCES_MAX}`,
    [],
  );
