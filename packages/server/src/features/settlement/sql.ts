import { type Catalog, recordsetOf } from '../../platform/database/catalog.ts';
import type { Db } from '../../platform/database/db.ts';
import { isStopped, notStopped } from '../../platform/database/installation/stopped.ts';
import type { Row } from '../../platform/database/row.ts';
import { asUuid } from '../../platform/database/uuid-text.ts';

/** Processor and mode to which settlement files belong. */
export interface SettlementSource {
  readonly processor: string;
  readonly mode: 'live' | 'sandbox';
}

/**
 * Progress with a processor's files: the day, the next part to read, and its due time. The first
 * day is `today`.
 */
export async function fileProgressOf(
  db: Db,
  { processor, mode }: SettlementSource,
  { today, now }: { readonly today: string; readonly now: string },
): Promise<Row> {
  const progressRows = await db.query(
    'select * from settlement_progress where processor = $1 and mode = $2',
    [processor, mode],
    'settlement_progress',
    'kept',
  );
  if (progressRows[0]) return progressRows[0];
  await db.query(
    'insert into settlement_progress values ($1, $2, $3, 1, $4) on conflict do nothing',
    [processor, mode, today, now],
    'begin_settlement',
  );
  return { processor, mode, day: today, part: '1', due_at: now, missed_until: null };
}

/** Returns the first day (UTC) that is not settled completely; undefined before settlement begins. */
export async function findUnsettledDay(
  db: Db,
  { processor, mode }: SettlementSource,
): Promise<string | undefined> {
  const [row] = await db.query(
    'select day from settlement_progress where processor = $1 and mode = $2',
    [processor, mode],
    'unsettled_day',
  );
  return row?.day ?? undefined;
}

/**
 * Locks the stored progress. Returns false if it differs from `progress`, or another worker has
 * locked it.
 */
export async function lockProgress(tx: Db, progress: Row): Promise<boolean> {
  const [row] = await tx.query(
    `select day, part from settlement_progress where processor = $1 and mode = $2
       and day = $3 and part is not distinct from $4 and missed_until is not distinct from $5
       and paid_through is not distinct from $6
     for update skip locked`,
    [
      progress.processor,
      progress.mode,
      progress.day,
      progress.part,
      progress.missed_until,
      progress.paid_through,
    ],
    'lock_settlement',
  );
  return row !== undefined;
}

/** Stores the progress. The part is null once the day's file is complete. */
export async function moveProgress(
  tx: Db,
  { processor, mode }: Row,
  position: { readonly day: string; readonly part: number | null; readonly due_at: string },
): Promise<void> {
  await tx.query(
    `update settlement_progress set day = $3, part = $4, due_at = $5, missed_until = null
     where processor = $1 and mode = $2`,
    [processor, mode, position.day, position.part, position.due_at],
    'move_settlement',
  );
}

/** Maximum number of lines that one statement counts or deletes. */
export const LINES_MAX = 20_000;

/** Deletes at most `limit` lines of a day. Returns the number of deleted lines. */
export async function deleteLines(
  tx: Db,
  { processor, mode, day }: Row,
  limit: number = LINES_MAX,
): Promise<number> {
  const deletedRows = await tx.query(
    `delete from settlement_entries where processor = $1 and mode = $2 and day = $3 and line in
       (select line from settlement_entries where processor = $1 and mode = $2 and day = $3
        order by line limit $4) returning 1`,
    [processor, mode, day, limit],
    'prune_settlement',
  );
  return deletedRows.length;
}

/** Totals of a day's lines. */
export interface FileTotal {
  readonly count: number;
  /** Sum of the amounts, in decimal digits. */
  readonly sum: string;
  /** Lines of no known merchant. */
  readonly unknown_merchants: number;
}

/** Counts a day's lines and adds their amounts, at most `limit` lines a statement. */
export async function totalOf(
  db: Db,
  { processor, mode, day }: Row,
  limit: number = LINES_MAX,
): Promise<FileTotal> {
  let [count, sum, unknown_merchants] = [0, 0n, 0];
  for (let after = '0'; ; ) {
    const [slice = {}] = await db.query(
      `select count(*) as count, coalesce(sum(amount_cents), 0) as sum, max(line) as last,
         count(*) filter (where outcome = 'unknown_merchant') as unknown_merchants
       from (select line, amount_cents, outcome from settlement_entries
         where processor = $1 and mode = $2 and day = $3 and line > $4 order by line limit $5) slice`,
      [processor, mode, day, after, limit],
      'settlement_total',
    );
    count += Number(slice.count);
    sum += BigInt(slice.sum ?? 0);
    unknown_merchants += Number(slice.unknown_merchants);
    if (Number(slice.count) < limit) return { count, sum: String(sum), unknown_merchants };
    after = slice.last as string;
  }
}

/**
 * Stands for the settlements that a person asked for, in `settlement_entries` of the sandbox. No processor has this
 * name. A line of the network's file takes the place of such a line.
 */
export const REQUESTED_SOURCE = 'settled_on_request';

/** SQL: record with the transfers of a capture `cd`: its payment if it is the only one, else the capture. */
export const SOURCE_OF_CAPTURE =
  'case when cd.fee_cents is null then cd.payment_demand_id else cd.id end';

/** SQL: attempts in flight of the merchant whose `column` is the reference of the line `e`. */
const openAttemptBy = (column: string): string =>
  `(select id from attempts where s.source_id is null and merchant_id = a.merchant_id
       and ${column} = ${asUuid('e.reference')} and status in ('sending', 'unknown', 'reversing'))`;

/**
 * Lines of the day's file that are not compared yet, with their subjects.
 * - `merchant_id`: set if the authorisation is ours
 * - `source_id`: payment, capture, refund or dispute; `expected_cents` and `expected_currency` come
 *   from its transfer
 * - `is_open`: an attempt is in flight
 * - `is_settled`: an earlier line settled the subject
 * - `is_requested`: a person had the subject settled before this file
 * - `is_stopped`: the merchant moves; `is_moved`: a line of an earlier cell settled the subject, and none stands for it here
 */
export const linesToCompare = (
  tx: Db,
  { processor, mode, day }: Row,
  limit: number,
): Promise<Row[]> =>
  tx.query(
    `with lines as materialized (
       select * from settlement_entries where processor = $1 and mode = $2 and outcome is null
         and (compared_on is null or compared_on < $3) order by day, line limit $4)
     select e.day, e.line, e.entry, e.reference, e.amount_cents, e.amount_currency,
       a.merchant_id, a.payment_demand_id, s.source_id, t.amount_cents as expected_cents,
       t.amount_currency as expected_currency, o.id is not null as is_open, d.id is not null as is_settled,
       n.line is not null as is_requested, ${isStopped('a.merchant_id')} as is_stopped,
       m.kind is not null and not exists (select from settlement_entries l where l.merchant_id = a.merchant_id
         and l.source_id = s.source_id and l.entry = e.entry and l.outcome = 'moved') as is_moved
     from lines e
     left join attempts a on a.id = ${asUuid('e.authorisation')} and a.operation = 'authorise'
       and a.mode = e.mode and a.processor = e.processor
     left join lateral (
       select a.payment_demand_id as source_id where e.entry = 'capture' and e.reference = e.authorisation
         and a.status = 'approved'
       union all
       select ${SOURCE_OF_CAPTURE} from attempts c join capture_demands cd on cd.merchant_id = c.merchant_id
           and cd.id = c.capture_demand_id
         where e.entry = 'capture' and c.merchant_id = a.merchant_id
           and c.capture_demand_id = ${asUuid('e.reference')} and c.status = 'approved'
       union all
       select r.refund_demand_id from attempts r where e.entry = 'refund' and r.merchant_id = a.merchant_id
         and r.refund_demand_id = ${asUuid('e.reference')} and r.status = 'approved'
       union all
       select p.id from disputes p where e.entry = 'dispute' and p.processor = e.processor and p.mode = e.mode
         and p.reference = e.reference and p.merchant_id = a.merchant_id
       limit 1) s on true
     left join ledger_transfers t on t.merchant_id = a.merchant_id and t.source_id = s.source_id
       and t.kind = case e.entry when 'capture' then 'captured' when 'refund' then 'refunded' else 'dispute_lost' end
     left join ledger_transfers d on d.merchant_id = a.merchant_id and d.source_id = s.source_id
       and d.kind = case e.entry when 'capture' then 'settled' else 'settled_back' end
     left join moved_settlements m on m.merchant_id = a.merchant_id and m.source_id = s.source_id
       and m.kind = case e.entry when 'capture' then 'settled' else 'settled_back' end
     left join settlement_entries n on e.mode = 'sandbox' and n.mode = e.mode
       and n.processor = '${REQUESTED_SOURCE}' and n.merchant_id = a.merchant_id and n.source_id = s.source_id
     left join lateral (${['id', 'capture_demand_id', 'refund_demand_id'].map(openAttemptBy).join(' union all ')}
       limit 1) o on true
     order by e.day, e.line`,
    [processor, mode, day, limit],
    'settlement_lines',
  );

/**
 * Stores the results of compared lines: `outcome`, `merchant_id` and `source_id`, by day and line.
 */
export async function recordOutcomes(
  tx: Db,
  catalog: Catalog,
  { processor, mode, day }: Row,
  lines: readonly Row[],
): Promise<void> {
  await tx.query(
    `update settlement_entries e set outcome = i.outcome, compared_on = $3, merchant_id = i.merchant_id,
       source_id = i.source_id
     from json_populate_recordset(null::settlement_entries, $4::json) i
     where e.processor = $1 and e.mode = $2 and e.day = i.day and e.line = i.line`,
    [processor, mode, day, recordsetOf(catalog('settlement_entries'), lines)],
    'settlement_outcomes',
  );
}

/** Deletes lines of settlements on request. Lines of the network's file have taken their place. */
export async function removeRequestedLines(tx: Db, lines: readonly Row[]): Promise<void> {
  if (lines.length === 0) return;
  await tx.query(
    `delete from settlement_entries e using unnest($2::uuid[], $3::uuid[]) as i (merchant_id, source_id)
     where e.processor = $1 and e.mode = 'sandbox' and e.merchant_id = i.merchant_id and e.source_id = i.source_id`,
    [
      REQUESTED_SOURCE,
      lines.map(({ merchant_id }) => merchant_id),
      lines.map(({ source_id }) => source_id),
    ],
    'replace_requested',
  );
}

/** Stores up to which instant the day's transfers are compared with its file. */
export async function storeCheckedUntil(
  tx: Db,
  { processor, mode }: Row,
  until: string,
): Promise<void> {
  await tx.query(
    'update settlement_progress set missed_until = $3 where processor = $1 and mode = $2',
    [processor, mode, until],
    'move_missed',
  );
}

/** Stores the last merchant to whom the day is paid out. */
export async function storePaidThrough(
  tx: Db,
  { processor, mode, day }: Row,
  merchant_id: string,
): Promise<void> {
  await tx.query(
    `update settlement_progress set paid_on = $3, paid_through = $4
     where processor = $1 and mode = $2`,
    [processor, mode, day, merchant_id],
    'move_paid',
  );
}

/** Number of a mode's transfers in a period; counts up to `limit`. */
export async function countTransfers(
  tx: Db,
  mode: string,
  { from, to }: TimeRange,
  limit: number,
): Promise<number> {
  const [row] = await tx.query(
    `select count(*) from (select from ledger_transfers
       where mode = $1 and created_at >= $2 and created_at < $3 limit $4) found`,
    [mode, from, to, limit],
    'count_transfers',
  );
  return Number(row?.count);
}

/** A period; `to` is excluded. */
export interface TimeRange {
  readonly from: string;
  readonly to: string;
}

/** Stands for the reports of all accounts of a mode in the progress of settlement. No processor has this name. */
export const REPORTS_SOURCE = 'account_reports';

/** SQL: an account took the payment of transfer `t`. */
const OF_ACCOUNT = `exists (select from attempts a where a.merchant_id = t.merchant_id
  and a.payment_demand_id = t.payment_demand_id and a.operation = 'authorise' and a.status = 'approved'
  and a.processor_account_id is not null)`;

/** SQL: an account took the payment of transfer `t`, and its reports are booked. */
const OF_REPORTING_ACCOUNT = `exists (select from attempts a where a.merchant_id = t.merchant_id
  and a.payment_demand_id = t.payment_demand_id and a.operation = 'authorise' and a.status = 'approved'
  and exists (select from processor_reports r
    where r.processor_account_id = a.processor_account_id and r.control is not null))`;

/** SQL: unsettled transfers `t` in the period $2 to $3, of the network or of accounts, with more conditions. */
const unsettledWhere = (ofProcessor: string, condition: string): string => `
  select t.merchant_id, t.mode, t.source_id, t.payment_demand_id, t.amount_cents, t.amount_currency,
    case t.kind when 'captured' then 'capture' when 'refunded' then 'refund' else 'dispute' end as entry,
    coalesce(case t.kind
      when 'captured' then (select coalesce(c.capture_demand_id, c.id)::text from attempts c
        where c.merchant_id = t.merchant_id and c.payment_demand_id = t.payment_demand_id
          and c.operation in ('authorise', 'capture') and c.status = 'approved'
        and t.source_id = t.payment_demand_id order by c.operation desc limit 1)
      when 'refunded' then null else (select reference from disputes p
        where p.merchant_id = t.merchant_id and p.id = t.source_id) end, t.source_id::text) as reference
  from ledger_transfers t
  where t.mode = $1 and t.kind in ('captured', 'refunded', 'dispute_lost', 'second_chargeback')
    and t.created_at >= $2 and t.created_at < $3
    and ${ofProcessor} and ${condition}
    and not exists (select from ledger_transfers s where s.merchant_id = t.merchant_id
      and s.source_id = t.source_id and s.kind in ('settled', 'settled_back', 'second_settled_back')
      and not (t.kind = 'second_chargeback' and s.kind = 'settled_back' and exists (select from ledger_transfers r
        where r.merchant_id = t.merchant_id and r.source_id = t.source_id and r.kind = 'settled_again')))
    and not exists (select from settlement_exceptions x
      where x.merchant_id = t.merchant_id and x.source_id = t.source_id)
  order by t.created_at limit $4`;

/**
 * Transfers of a period that the network, or the accounts of a mode, have not settled, with their references at the
 * processor. Leaves out merchants that move, whose lines wait.
 */
export const readUnsettled = (
  tx: Db,
  { processor, mode }: Row,
  { from, to }: TimeRange,
  limit: number,
): Promise<Row[]> =>
  tx.query(
    unsettledWhere(
      processor === REPORTS_SOURCE ? OF_REPORTING_ACCOUNT : `not ${OF_ACCOUNT}`,
      notStopped('t.merchant_id'),
    ),
    [mode, from, to, limit],
    processor === REPORTS_SOURCE ? 'unsettled_of_accounts' : 'unsettled',
  );

/** Transfers of a merchant's sandbox since `from` that the network has not settled, as `readUnsettled`. */
export const readUnsettledOf = (
  tx: Db,
  merchant_id: string,
  from: string,
  limit: number,
): Promise<Row[]> =>
  tx.query(
    unsettledWhere(`not ${OF_ACCOUNT}`, "t.merchant_id = $5 and t.kind <> 'second_chargeback'"),
    ['sandbox', from, 'infinity', limit, merchant_id],
    'unsettled_of_merchant',
  );

/** Files after `last`, in the order of their key. */
export const readFiles = (
  db: Db,
  limit: number,
  { processor = '', mode = '', day = '-infinity' }: Row = {},
): Promise<Row[]> =>
  db.query(
    `select processor, mode, day, entry_count, entry_sum from settlement_files
     where (processor, mode, day) > ($1, $2, $3::date) order by processor, mode, day limit $4`,
    [processor, mode, day, limit],
  );

/** Open exceptions of all merchants, by mode and kind. */
export const countOpenExceptions = (db: Db): Promise<Row[]> =>
  db.query(
    `select mode, kind, count(*) as count from settlement_exceptions where status = 'open' group by mode, kind`,
    [],
    'count_open_exceptions',
  );
