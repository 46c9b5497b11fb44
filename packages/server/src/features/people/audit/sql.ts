import type { Db } from '../../../platform/database/db.ts';
import { containsPattern } from '../../../platform/database/like.ts';
import type { Row } from '../../../platform/database/row.ts';

/** An action of a person, or a write with an API key. Stored before it runs, so that no action lacks an entry. */
export interface AuditEntry {
  readonly id: string;
  readonly account_id?: string | undefined;
  /** Set instead of the account for a write with an API key. */
  readonly merchant_token_id?: string | undefined;
  readonly merchant_id?: string | undefined;
  readonly mode?: 'live' | 'sandbox' | undefined;
  /** Method and route, with placeholders for parameters. */
  readonly action: string;
  readonly record_id?: string | undefined;
  readonly ip: string;
  readonly at: string;
  /** HTTP status; absent until the request has ended. */
  readonly outcome?: number | undefined;
  /**
   * Set for an action that needs no authentication. Every merchant of the account sees this entry.
   */
  readonly by_anybody?: boolean | undefined;
}

/**
 * Stores entries. Leaves out the merchant if the account is no member, so that strangers cannot
 * write to its log.
 */
export async function insertAuditEntries(db: Db, entries: readonly AuditEntry[]): Promise<void> {
  await db.query(
    `with entries as materialized (select e.id, e.account_id, e.merchant_token_id,
       case when e.account_id is null then e.merchant_id else b.merchant_id end as merchant_id, e.mode,
       e.action, e.record_id, e.ip, e.at, e.outcome, coalesce(e.by_anybody, false) as by_anybody
     from json_to_recordset($1::json) as e (id uuid, account_id uuid, merchant_token_id uuid,
         merchant_id uuid, mode text, action text, record_id uuid, ip text, at timestamptz, outcome integer,
         by_anybody boolean)
       left join memberships b on b.merchant_id = e.merchant_id and b.account_id = e.account_id
         and b.accepted_at is not null)
     insert into audit_entries
       (id, account_id, merchant_token_id, merchant_id, mode, action, record_id, ip, created_at, outcome,
        by_anybody)
     select * from entries`,
    [JSON.stringify(entries)],
    'insert_audit_entries',
  );
}

/** Maximum number of merchants whose log shows a member's sign-ins: the oldest memberships. */
const REPORTED_MAX = 100;

/** Merchants of the account, oldest membership first. */
export async function merchantsToAudit(db: Db, account_id: string): Promise<readonly string[]> {
  const rows = await db.query(
    `select merchant_id from memberships where account_id = $1 and accepted_at is not null
     order by created_at, merchant_id limit $2`,
    [account_id, REPORTED_MAX],
    'merchants_told',
  );
  return rows.map(({ merchant_id }) => merchant_id as string);
}

/** Adds the status and the id of a created record to the entries of one request. */
export async function finishAuditEntries(
  db: Db,
  ids: readonly string[],
  { outcome, record_id }: { readonly outcome: number; readonly record_id?: string | undefined },
): Promise<void> {
  await db.query(
    `update audit_entries set outcome = $2, record_id = coalesce(record_id, $3)
     where id = any ($1::uuid[])`,
    [ids, outcome, record_id],
    'conclude_audit_entries',
  );
}

/** Filters of a merchant's audit log. */
export interface AuditQuery {
  readonly merchant_id: string;
  readonly account_id?: string | undefined;
  readonly action?: string | undefined;
  readonly record_id?: string | undefined;
  /** First instant of the period. */
  readonly from?: string | undefined;
  /** First instant after the period. */
  readonly before?: string | undefined;
  /** Last entry of the previous page. */
  readonly after?: { readonly at: string; readonly id: string } | undefined;
  readonly limit: number;
}

/** SQL of whether the record of an entry is a preview; null for other actions, and after its record was removed. */
const DRY_RUN = `case e.action
  when 'POST /v2/customer_merges' then
    (select dry_run from customer_merges r where r.merchant_id = $1 and r.id = e.record_id)
  when 'POST /v2/subscription_changes' then
    (select dry_run from subscription_changes r where r.merchant_id = $1 and r.id = e.record_id)
end`;

/**
 * Entries of a merchant, newest first, with the account or the API key. Includes members' sign-in entries since
 * their membership began.
 */
export function listAuditEntries(db: Db, query: AuditQuery): Promise<Row[]> {
  const values: unknown[] = [query.merchant_id, query.limit];
  const bindValue = (value: unknown): string => `$${values.push(value)}`;
  const conditions = [
    'true',
    ...(query.account_id ? [`e.account_id = ${bindValue(query.account_id)}`] : []),
    ...(query.record_id ? [`e.record_id = ${bindValue(query.record_id)}`] : []),
    ...(query.action ? [`e.action like ${bindValue(containsPattern(query.action))}`] : []),
    ...(query.from ? [`e.created_at >= ${bindValue(query.from)}`] : []),
    ...(query.before ? [`e.created_at < ${bindValue(query.before)}`] : []),
    ...(query.after
      ? [`(e.created_at, e.id) < (${bindValue(query.after.at)}, ${bindValue(query.after.id)})`]
      : []),
  ];
  const matches = conditions.join(' and ');
  const newestFirst = 'order by e.created_at desc, e.id desc limit $2';
  return db.query(
    `select e.id, e.account_id, a.name, a.email, k.id as token_id, k.name as token_name, e.mode,
       e.action, e.record_id, ${DRY_RUN} as dry_run, e.outcome, e.ip, e.created_at
     from (
       (select e.* from audit_entries e where e.merchant_id = $1 and ${matches} ${newestFirst})
       union all
       (select e.* from memberships b cross join lateral (
          select * from audit_entries e where e.account_id = b.account_id and e.by_anybody
            and e.created_at >= b.accepted_at and ${matches} ${newestFirst}) e
        where b.merchant_id = $1 and b.accepted_at is not null)
     ) e
       left join accounts a on a.id = e.account_id
       left join merchant_tokens k on k.merchant_id = $1 and k.id = e.merchant_token_id
     ${newestFirst}`,
    values,
  );
}

/** Maximum number of people that the filter of a merchant's log offers. */
const PEOPLE_MAX = 600;

/** People for the filter of a merchant's log: members, then former members who have entries, by name. */
export const listAuditPeople = (db: Db, merchant_id: string): Promise<Row[]> =>
  db.query(
    `select a.id, a.name, a.email, bool_or(b.accepted_at is not null) as is_member
     from memberships b join accounts a on a.id = b.account_id
     where b.merchant_id = $1 and (b.accepted_at is not null or b.removed_at is not null
       and exists (select from audit_entries e where e.account_id = a.id and e.merchant_id = $1))
     group by a.id order by is_member desc, coalesce(a.name, a.email), a.id limit $2`,
    [merchant_id, PEOPLE_MAX],
    'audit_people',
  );

/** Days for which the database keeps each entry, whatever the clock of the server says. */
const KEPT_DAYS_MIN = 365;

/** Deletes entries older than `cutoff`. Returns the number of deleted rows. */
export async function pruneAuditEntries(db: Db, cutoff: string, limit: number): Promise<number> {
  const rows = await db.query(
    `delete from audit_entries where id in
       (select id from audit_entries
        where created_at < least($1, statement_timestamp() - interval '${KEPT_DAYS_MIN} days')
        order by created_at limit $2)
     returning id`,
    [cutoff, limit],
    'prune_audit_entries',
  );
  return rows.length;
}
