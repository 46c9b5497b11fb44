import type { TransferKind } from '@florin/contract/ledger.ts';
import { type Catalog, recordsetOf } from '../../../../platform/database/catalog.ts';
import type { Db } from '../../../../platform/database/db.ts';
import { isStopped } from '../../../../platform/database/installation/stopped.ts';
import type { Row } from '../../../../platform/database/row.ts';
import { insertRows } from '../../../../platform/database/rows.ts';
import { SOURCE_OF_CAPTURE } from '../../sql.ts';

/** Transfers that settle lines of reports. */
const SETTLING: readonly TransferKind[] = [
  'settled',
  'settled_back',
  'settled_again',
  'second_settled_back',
  'second_settled_again',
];

/**
 * Next lines of a report to compare, with their subjects.
 * - `merchant_id`: set if the authorisation is ours, by the processor's reference or by our id
 * - `source_id`: payment, capture, refund or dispute; `expected_cents` and `expected_currency` come from its transfer
 * - `settled_by`: kinds of the transfers by which earlier lines settled the subject
 * - `is_stopped`: the merchant moves
 * - `moved_by`: kinds of the transfers that lines of an earlier cell prove; `moved_lines` of this kind stand for them here
 * - `has_second_round`: a second chargeback of the dispute is known, or that it was undone
 */
export const linesToReconcile = (
  tx: Db,
  report_id: string,
  { compared_before, limit }: { readonly compared_before: string; readonly limit: number },
): Promise<Row[]> =>
  tx.query(
    `with lines as materialized (
       select l.*, r.created_at from processor_report_lines l join processor_reports r on r.id = l.report_id
       where l.report_id = $1 and l.outcome is null and (l.compared_at is null or l.compared_at < $2)
       order by l.line limit $3)
     select e.report_id, e.line, e.kind, e.mode, e.authorisation_reference, e.processor_reference, e.attempt_id,
       e.amount_cents, e.amount_currency, e.is_flagged, e.created_at, a.merchant_id, a.payment_demand_id,
       a.status as attempt_status, s.source_id, t.amount_cents as expected_cents,
       t.amount_currency as expected_currency, d.settled_by, ${isStopped('a.merchant_id')} as is_stopped, m.moved_by, m.moved_lines, coalesce(x.has_second_round, false) as has_second_round
     from lines e
     left join lateral (
       (select merchant_id, payment_demand_id, status from attempts
         where processor_account_id = e.processor_account_id and processor_reference = e.authorisation_reference
           and operation = 'authorise' order by id desc limit 1)
       union all
       (select merchant_id, payment_demand_id, status from attempts
         where id = e.attempt_id and operation = 'authorise' and processor_account_id = e.processor_account_id)
       limit 1) a on true
     left join lateral (
       (select ${SOURCE_OF_CAPTURE} as source_id from attempts c join capture_demands cd
           on cd.merchant_id = c.merchant_id and cd.id = c.capture_demand_id
         where e.kind in ('capture', 'capture_reversed') and c.merchant_id = a.merchant_id
           and c.payment_demand_id = a.payment_demand_id and c.operation = 'capture'
           and (c.processor_reference = e.processor_reference or c.capture_demand_id = e.demand_id)
         order by c.id desc limit 1)
       union all
       select a.payment_demand_id where e.kind in ('capture', 'capture_reversed')
       union all
       (select r.refund_demand_id from attempts r where e.kind in ('refund', 'refund_reversed')
         and r.merchant_id = a.merchant_id and r.payment_demand_id = a.payment_demand_id and r.operation = 'refund'
         and (r.processor_reference = e.processor_reference or r.refund_demand_id = e.demand_id)
         order by r.id desc limit 1)
       union all
       (select p.id from disputes p where e.kind in ('chargeback', 'chargeback_reversed')
         and p.merchant_id = a.merchant_id and p.payment_demand_id = a.payment_demand_id
         and p.reference = e.processor_reference limit 1)
       limit 1) s on true
     left join ledger_transfers t on t.merchant_id = a.merchant_id and t.source_id = s.source_id
       and t.kind = case e.kind when 'capture' then 'captured' when 'refund' then 'refunded' else 'dispute_opened' end
     left join lateral (select string_agg(kind, ' ') as settled_by from ledger_transfers
       where merchant_id = a.merchant_id and source_id = s.source_id and kind = any ($4::text[])) d on true
     left join lateral (select status = 'lost' or second_round_at is not null as has_second_round from disputes
       where e.kind like 'chargeback%' and merchant_id = a.merchant_id and id = s.source_id) x on true
     left join lateral (select string_agg(kind, ' ') as moved_by, (select count(*) from processor_report_lines l
         where l.merchant_id = a.merchant_id and l.source_id = s.source_id and l.kind = e.kind
           and l.outcome = 'moved') as moved_lines
       from moved_settlements where merchant_id = a.merchant_id and source_id = s.source_id
       having count(*) > 0) m on true
     order by e.line`,
    [report_id, compared_before, limit, SETTLING],
    'report_lines',
  );

/** Maximum number of lines that one statement stores. A report may have 80,000. */
const STORED_MAX = 5_000;

/** Stores the lines of a report, slice by slice, in the caller's transaction. */
export async function insertLines(
  tx: Db,
  catalog: Catalog,
  lines: readonly Row[],
  stored_max: number = STORED_MAX,
): Promise<void> {
  for (let at = 0; at < lines.length; at += stored_max) {
    await insertRows(tx, catalog, 'processor_report_lines', lines.slice(at, at + stored_max));
  }
}

/** Stores the results of compared lines. */
export async function recordLineOutcomes(
  tx: Db,
  catalog: Catalog,
  lines: readonly Row[],
): Promise<void> {
  await tx.query(
    `update processor_report_lines e set outcome = i.outcome, compared_at = i.compared_at, is_flagged = i.is_flagged,
       merchant_id = i.merchant_id, source_id = i.source_id
     from json_populate_recordset(null::processor_report_lines, $1::json) i
     where e.report_id = i.report_id and e.line = i.line`,
    [recordsetOf(catalog('processor_report_lines'), lines)],
    'report_line_outcomes',
  );
}

export async function countWaitingLines(tx: Db, report_id: string): Promise<number> {
  const [row] = await tx.query(
    'select count(*) as count from processor_report_lines where report_id = $1 and outcome is null',
    [report_id],
    'count_waiting_lines',
  );
  return Number(row?.count);
}
