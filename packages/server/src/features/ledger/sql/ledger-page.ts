import type { LedgerAccount } from '@florin/contract/ledger.ts';
import { LEDGER_LINES_MAX } from '@florin/contract/ledger-page.ts';
import type { PageStart } from '../../../http/page-cursor.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import type { Scope } from '../../../platform/database/scope.ts';
import { addedTo, HOUR } from './ledger-hours.ts';

/** Limits of a page: its lines, and the transfers that it reads to find them. */
export interface LedgerLimits {
  readonly lines_max: number;
  readonly read_max: number;
}
export const ledgerLimits: LedgerLimits = { lines_max: LEDGER_LINES_MAX, read_max: 5_000 };
/** Maximum number of transfers of one hour that a page sums. */
const SUMMED_MAX = 50_000;

/** Part of the ledger: an account in a currency, older than a transfer if the page is not the first. */
export interface LedgerPart {
  readonly account: LedgerAccount;
  readonly currency: string;
  readonly start: PageStart | undefined;
  readonly period?: LedgerPeriod;
}

/** Instants of a period; an absent end is open. */
export interface LedgerPeriod {
  readonly from?: string | undefined;
  readonly before?: string | undefined;
}

/** SQL: transfers of the scope. */
const OF_SCOPE = 'merchant_id = $1 and mode = $2';

/**
 * SQL: sum of the account up to the newest line: the hours before, transfers that these do not include yet, and the
 * line's own hour. One statement sees all three at the same moment.
 */
const balanceSql = (account: LedgerAccount): string => `
  select (select coalesce(sum(${account}_cents), 0) from ledger_hours, newest
      where ${OF_SCOPE} and amount_currency = $3 and hour < newest_hour)
    + (select coalesce(sum(${addedTo(account)}), 0) from (select * from ledger_transfers
        where posted_in >= (select posted_before from balance_horizon) offset 0) t, newest
      where ${OF_SCOPE} and amount_currency = $3 and created_at < newest_hour)
    + own_hour.cents as cents, own_hour.transfers
  from (select coalesce(sum(${addedTo(account)}) filter (where amount_currency = $3), 0) as cents, count(*) as transfers
    from (select t.* from newest, lateral (select * from ledger_transfers
        where ${OF_SCOPE} and created_at >= newest_hour and (created_at, id) <= (newest_at, newest_id)
        order by created_at desc, id desc limit ${SUMMED_MAX + 1}) t) t) own_hour`;

/**
 * Reads the lines of a page, newest first, each with the balance after the first one. Where the page has read as many
 * transfers as it may, the last one follows without `cents`.
 */
export const readLedgerLines = (
  db: Db,
  { merchant_id, mode }: Scope,
  { account, currency, start, period }: LedgerPart,
  { lines_max, read_max }: LedgerLimits = ledgerLimits,
): Promise<Row[]> =>
  db.query(
    `with read as materialized (select *, row_number() over (order by created_at desc, id desc) as nth
       from (select * from ledger_transfers where ${OF_SCOPE}
         and (created_at, id) < (coalesce($4::timestamptz, 'infinity'), coalesce($5::uuid, $1::uuid))
         and created_at >= coalesce($9::timestamptz, '-infinity') and created_at < coalesce($10::timestamptz, 'infinity')
         order by created_at desc, id desc limit $7) t),
     lines as (select *, ${addedTo(account)} as cents from read where amount_currency = $3
       and $6::text in (debit_account, credit_account) order by nth limit $8),
     newest as materialized (select created_at as newest_at, id as newest_id, ${HOUR} as newest_hour
       from lines order by nth limit 1),
     balance as (${balanceSql(account)})
     select l.id, l.created_at, l.kind, l.payment_demand_id, l.cents, b.cents as balance_cents,
       b.transfers > ${SUMMED_MAX} as is_uncounted, l.nth
     from lines l cross join balance b
     union all
     select id, created_at, kind, null, null, null, null, nth from read
       where nth = $7::bigint
     order by nth`,
    [
      merchant_id,
      mode,
      currency,
      start?.at ?? null,
      start?.id ?? null,
      account,
      read_max,
      lines_max + 1,
      period?.from ?? null,
      period?.before ?? null,
    ],
    `ledger_page_${account}`,
  );
