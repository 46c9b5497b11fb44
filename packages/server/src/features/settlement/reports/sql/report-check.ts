import type { Db } from '../../../../platform/database/db.ts';
import type { Row } from '../../../../platform/database/row.ts';
import { UUID_MIN } from '../../../../platform/database/slices/key-slices.ts';
import { type Checked, DIFFERENCES_MAX } from '../../../ledger/sql/ledger-check.ts';
import { UNCLEAR } from './reports.ts';

/** Maximum number of reports that one statement reads. */
const REPORTS_MAX = 500;

/** Finds differences of each report in turn. A report was stored as one download, which bounds its lines. */
async function findInReports(
  db: Db,
  checked: Checked,
  find: (report_id: string) => Promise<Row[]>,
): Promise<Row[]> {
  const differences: Row[] = [];
  for (let after: string = UUID_MIN; ; ) {
    const reports = await db.query(
      'select id from processor_reports where id > $1 order by id limit $2',
      [after, REPORTS_MAX],
    );
    for (const { id } of reports) differences.push(...(await find(id as string)));
    checked(reports.length);
    if (reports.length < REPORTS_MAX) return differences.slice(0, DIFFERENCES_MAX);
    after = reports.at(-1)?.id as string;
  }
}

const MOVEMENTS = `kind in ('capture', 'refund', 'chargeback', 'capture_reversed', 'refund_reversed', 'chargeback_reversed')`;

/** SQL: sums that the lines of a report imply, by kind and currency. Positive: to the account \`processor\`. */
const EXPECTED_SUMS = `
  select kind, currency, sum(amount) as amount from (
    select 'payments' as kind, amount_currency as currency, gross_amount as amount
      from processor_report_lines where report_id = $1 and ${MOVEMENTS}
    union all
    select 'fee_' || f.key, net_currency, -f.value::numeric
      from processor_report_lines l cross join lateral jsonb_each_text(l.fees) f
      where report_id = $1 and kind <> 'quarantined'
    union all
    select 'exchange', amount_currency, -gross_amount
      from processor_report_lines where report_id = $1 and ${MOVEMENTS} and amount_currency <> net_currency
    union all
    select 'exchange', net_currency, net_amount + coalesce(
        (select sum(value::numeric) from jsonb_each_text(fees)), 0)
      from processor_report_lines where report_id = $1 and ${MOVEMENTS} and amount_currency <> net_currency
    union all
    select case kind when 'quarantined' then 'unexplained' else kind end, net_currency, net_amount
      from processor_report_lines where report_id = $1 and kind in ('adjustment', 'payout', 'carried_over', 'quarantined')
        and net_amount is not null) sums
  group by kind, currency having sum(amount) <> 0`;

/** Transfers of the operator's ledger that the lines of their report do not explain, with both sums. */
export const findProcessorDifferences = (db: Db, checked: Checked): Promise<Row[]> =>
  findInReports(db, checked, (report_id) =>
    db.query(
      `select $1::uuid as report_id, coalesce(e.kind, t.kind) as kind,
         coalesce(e.currency, t.currency) as currency, e.amount as expected_amount, t.amount as found_amount
       from (${EXPECTED_SUMS}) e full join (
         select kind, currency, case debit_account when 'processor' then amount else -amount end as amount
         from processor_transfers where report_id = $1) t using (kind, currency)
       where e.amount is distinct from t.amount limit ${DIFFERENCES_MAX}`,
      [report_id],
      'report_transfers_differ',
    ),
  );

/** Reports whose rows do not sum to their payout, or are of no known payment and not acknowledged. */
export const findReportDifferences = (db: Db, checked: Checked): Promise<Row[]> =>
  findInReports(db, checked, (report_id) =>
    db.query(
      `select r.processor_account_id, r.mode, r.name, r.control, l.unclear_lines
       from processor_reports r cross join lateral (
         select count(*) as unclear_lines from processor_report_lines
         where report_id = r.id and ${UNCLEAR}) l
       where r.id = $1 and (r.control = 'differs' or l.unclear_lines > 0)`,
      [report_id],
      'report_differs',
    ),
  );
