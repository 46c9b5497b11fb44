import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import {
  ALL_KEYS,
  inRange,
  type KeyedTable,
  type KeyRange,
  rangeValues,
  slicesOf,
} from '../../../platform/database/slices/key-slices.ts';
import { RESERVED_AMOUNTS } from './reserved-amounts.ts';

/** Maximum number of differences that a check returns. More may exist. */
export const DIFFERENCES_MAX = 100;
/** Maximum number of rows of each table that one statement of a check reads. */
export const CHECKED_MAX = 10_000;

/** Receives the number of rows that one more slice has checked. */
export type Checked = (rows: number) => void;

/** How a check reads its rows. */
export interface CheckOptions {
  /** Rows of each table in one statement. Default `CHECKED_MAX`. */
  readonly rows_max?: number;
  readonly checked?: Checked;
  /** Keys of the rows. Default all. */
  readonly range?: KeyRange;
}

/** Slices of a check: the tables whose rows decide where one ends, the first of which is counted. */
interface SlicedCheck {
  readonly tables: readonly [KeyedTable, ...KeyedTable[]];
  /** Statement that finds differences of a range; its first four parameters are `rangeValues`. */
  readonly sql: string;
  readonly values?: readonly unknown[];
}

/** Runs a check slice by slice. Each statement has a snapshot of its own, and compares whole records in it. */
export async function findInSlices(
  db: Db,
  { tables, sql, values = [] }: SlicedCheck,
  { rows_max = CHECKED_MAX, checked = () => {}, range = ALL_KEYS }: CheckOptions,
): Promise<Row[]> {
  const differences: Row[] = [];
  for await (const slice of slicesOf(db, tables, range, rows_max)) {
    if (differences.length < DIFFERENCES_MAX)
      differences.push(...(await db.query(sql, [...rangeValues(slice), ...values])));
    checked(await countIn(db, tables[0], slice));
  }
  return differences.slice(0, DIFFERENCES_MAX);
}

/** Number of rows of a table in a slice. */
export async function countIn(
  db: Db,
  { table, column }: KeyedTable,
  slice: KeyRange,
): Promise<number> {
  const [row] = await db.query(
    `select count(*) from ${table} where ${inRange(column)}`,
    rangeValues(slice),
  );
  return Number(row?.count);
}

/** SQL: a payment \`p\` was captured at once, so that it has the transfers itself. */
const CAPTURED_AT_ONCE = `p.amount_captured_cents > 0 and not exists (select from capture_demands c
  where c.merchant_id = p.merchant_id and c.payment_demand_id = p.id and c.status = 'succeeded'
    and c.fee_cents is not null)`;

/** SQL: records whose ids are in the range. */
const RECORDS = inRange('id');
/** SQL: lines and transfers whose sources are in the range. */
const SOURCES = inRange('source_id');

/** SQL: transfers that lines of settlement imply. `condition` is about the lines of both tables. */
export const settledLines = (condition: string): string => `
  select merchant_id, mode, source_id, case entry when 'capture' then 'settled' else 'settled_back' end as kind,
    amount_cents, amount_currency from settlement_entries where ${condition} and outcome = 'settled'
  union all
  select merchant_id, mode, source_id, case when kind like 'chargeback%' and nth > 1 then 'second_' else '' end ||
    case kind when 'capture' then 'settled' when 'chargeback_reversed' then 'settled_again' else 'settled_back' end,
    amount_cents, amount_currency from (select *, row_number() over (partition by merchant_id, source_id, kind) as nth
      from processor_report_lines where ${condition} and outcome = 'settled') settled_lines`;

/** SQL: transfers that the records of a range imply. Each `select` returns one or two kinds. */
const EXPECTED = `
  select merchant_id, mode, id as source_id, 'captured' as kind, amount_captured_cents as amount_cents, amount_currency
    from payment_demands p where ${RECORDS} and ${CAPTURED_AT_ONCE}
  union all
  select merchant_id, mode, id, 'fee', fee_cents, amount_currency
    from payment_demands p where ${RECORDS} and fee_cents > 0 and ${CAPTURED_AT_ONCE}
  union all
  select merchant_id, mode, id, 'captured', amount_cents, amount_currency
    from capture_demands where ${RECORDS} and status = 'succeeded' and fee_cents is not null
  union all
  select merchant_id, mode, id, 'fee', fee_cents, amount_currency
    from capture_demands where ${RECORDS} and status = 'succeeded' and fee_cents > 0
  union all
  select merchant_id, mode, id, 'refund_reserved', amount_cents, amount_currency from refund_demands where ${RECORDS}
  union all
  select merchant_id, mode, id, case status when 'succeeded' then 'refunded' else 'refund_released' end,
    amount_cents, amount_currency from refund_demands where ${RECORDS} and status in ('succeeded', 'failed')
  union all
  select merchant_id, mode, id, 'dispute_opened', amount_cents, amount_currency from disputes where ${RECORDS}
  union all
  select merchant_id, mode, id, case when second_chargeback_at is null then 'dispute_' || status else 'dispute_won' end,
    amount_cents, amount_currency from disputes where ${RECORDS} and status in ('won', 'lost')
  union all
  select merchant_id, mode, id, 'second_chargeback', amount_cents, amount_currency
    from disputes where ${RECORDS} and second_chargeback_at is not null
  union all
  ${settledLines(SOURCES)}
  union all
  select merchant_id, mode, source_id, kind, amount_cents, amount_currency from moved_settlements where ${SOURCES}
  union all
  select merchant_id, mode, id, 'paid_out', amount_cents, amount_currency from payouts where ${RECORDS}`;

const ofRecords = (table: string): KeyedTable => ({ table, column: 'id' });
const ofSources = (table: string): KeyedTable => ({
  table,
  column: 'source_id',
  where: 'merchant_id is not null',
});

/**
 * Recomputes the ledger from the records and returns the differences: a transfer's `expected_cents` and
 * `found_cents`, null if missing.
 */
export const findLedgerDifferences = (db: Db, options: CheckOptions = {}): Promise<Row[]> =>
  findInSlices(
    db,
    {
      tables: [
        ofSources('ledger_transfers'),
        ...['payment_demands', 'capture_demands', 'refund_demands', 'disputes', 'payouts'].map(
          ofRecords,
        ),
        ...['settlement_entries', 'processor_report_lines'].map(ofSources),
      ],
      sql: `select coalesce(e.merchant_id, t.merchant_id) as merchant_id, coalesce(e.mode, t.mode) as mode,
         coalesce(e.kind, t.kind) as kind, coalesce(e.source_id, t.source_id) as source_id,
         coalesce(e.amount_currency, t.amount_currency) as amount_currency,
         e.amount_cents as expected_cents, t.amount_cents as found_cents
       from (${EXPECTED}) e full join (select * from ledger_transfers where ${SOURCES}) t
         using (merchant_id, mode, source_id, kind, amount_currency)
       where e.amount_cents is distinct from t.amount_cents
       limit ${DIFFERENCES_MAX}`,
    },
    options,
  );

/** SQL: sums of the captures of one payment \`p\`; null without captures, or without fees of their own. */
const CAPTURED_AMOUNTS = `
  (select sum(amount_cents) as captured, sum(fee_cents) as fees from capture_demands
   where merchant_id = p.merchant_id and payment_demand_id = p.id and status = 'succeeded') c`;

/**
 * Payments with amounts or states that do not follow from their captures, refunds and disputes.
 * Amounts in minor units.
 */
export const findPaymentDifferences = (db: Db, options: CheckOptions = {}): Promise<Row[]> =>
  findInSlices(
    db,
    {
      tables: [ofRecords('payment_demands')],
      sql: `select p.merchant_id, p.mode, p.id, p.status, p.amount_captured_cents, p.amount_refunded_cents,
         p.amount_refundable_cents, p.fee_cents, c.captured, c.fees, r.refunded, r.reserved, d.open, d.lost
       from payment_demands p cross join lateral ${RESERVED_AMOUNTS} cross join lateral ${CAPTURED_AMOUNTS}
       where ${inRange('id', 'p')} and (p.amount_refunded_cents <> r.refunded
         or p.amount_captured_cents <> coalesce(c.captured, p.amount_captured_cents)
         or p.fee_cents <> coalesce(c.fees, p.fee_cents)
         or p.amount_refundable_cents <> greatest(0, p.amount_captured_cents - r.refunded - r.reserved - d.open - d.lost)
         or (d.open + d.lost > 0 or p.status in ('disputed', 'reversed')) and p.status <>
           case when d.lost > 0 and d.lost + r.refunded >= p.amount_captured_cents then 'reversed'
             when d.open > 0 then 'disputed' else 'succeeded' end)
       limit ${DIFFERENCES_MAX}`,
    },
    options,
  );

/** Transfers with accounts that do not fit their kind. */
export const findAccountDifferences = (
  db: Db,
  kinds: Readonly<Record<string, { readonly debit: string; readonly credit: string }>>,
  options: CheckOptions = {},
): Promise<Row[]> =>
  findInSlices(
    db,
    {
      tables: [ofRecords('ledger_transfers')],
      sql: `select t.merchant_id, t.mode, t.id, t.kind, k.debit as expected_debit, t.debit_account as found_debit,
         k.credit as expected_credit, t.credit_account as found_credit
       from ledger_transfers t left join unnest($5::text[], $6::text[], $7::text[]) as k (kind, debit, credit)
         on k.kind = t.kind
       where ${inRange('id', 't')} and (t.debit_account, t.credit_account) is distinct from (k.debit, k.credit)
       limit ${DIFFERENCES_MAX}`,
      values: [
        Object.keys(kinds),
        Object.values(kinds).map(({ debit }) => debit),
        Object.values(kinds).map(({ credit }) => credit),
      ],
    },
    options,
  );
