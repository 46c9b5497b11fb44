import type { Db } from '../../../platform/database/db.ts';
import { servedHere } from '../../../platform/database/installation/stopped.ts';
import { containsPattern } from '../../../platform/database/like.ts';
import type { Row } from '../../../platform/database/row.ts';
import { enforcementActionSql } from '../../merchants/sql/enforcement-actions.ts';

/** An operator's audited action on a merchant. */
export interface ActionEntry {
  readonly id: string;
  readonly merchant_id: string;
  readonly mode: 'live' | 'sandbox' | null;
  readonly account_id: string;
  readonly kind: string;
  readonly red_flag_id: string | null;
  readonly reason: string;
  /** Further parameters of the action, as JSON. */
  readonly details: string;
  /** Idempotency key: a repeated request stores no second entry. */
  readonly request_key: string;
  readonly at: string;
}

/** Stores an entry. Returns the stored entry if the account already used the key. */
export async function insertActionEntry(tx: Db, entry: ActionEntry): Promise<Row | undefined> {
  const { id, merchant_id, mode, account_id, kind, red_flag_id, reason, details } = entry;
  const { request_key, at } = entry;
  const storedRows = await tx.query(
    `insert into oversight_entries
       (id, merchant_id, mode, account_id, kind, red_flag_id, reason, details, request_key, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict (account_id, request_key) do nothing returning id`,
    [id, merchant_id, mode, account_id, kind, red_flag_id, reason, details, request_key, at],
    'insert_operator_action',
  );
  if (storedRows.length > 0) return undefined;
  const [earlierEntry] = await tx.query(
    `select merchant_id, mode, kind, red_flag_id, reason, details from oversight_entries
     where account_id = $1 and request_key = $2`,
    [account_id, request_key],
    'earlier_operator_action',
  );
  return earlierEntry;
}

/** Cursor in a list that is ordered by time and id. */
export interface ListPosition {
  readonly at: string;
  readonly id: string;
}

export interface MerchantSearch {
  /** Filter: part of the merchant's name or email address, or an id; empty for all merchants. */
  readonly text: string;
  /**
   * Filter: merchants that wait for approval, have an enforcement action in force, or have a review
   * due.
   */
  readonly only: 'all' | 'submitted' | 'held' | 'review_due';
  readonly now: string;
  readonly limit: number;
  readonly after: ListPosition | undefined;
}

const only: Readonly<Record<MerchantSearch['only'], string>> = {
  all: 'true',
  submitted: 'm.submitted_at is not null and m.active_at is null',
  held: `exists (select 1 from merchant_punitive_actions p
    where p.merchant_id = m.id and p.status = 'in_force')`,
  review_due: 'm.review_due_at <= $3',
};

/** Sort orders: by due time of the review, otherwise newest first. */
const orders = {
  newest: { by: 'm.created_at desc, m.id desc', after: '(m.created_at, m.id) < ($5, $6)' },
  due: { by: 'm.review_due_at, m.id', after: '(m.review_due_at, m.id) > ($5, $6)' },
} as const;

const SUMMARY = `m.id, m.business_name, m.business_email, m.created_at, m.submitted_at, m.active_at,
  m.review_due_at, m.review_started_at, m.reviewed_at,
  ${enforcementActionSql('m.id', `'live'`)} as measure_live, ${enforcementActionSql('m.id', `'sandbox'`)} as measure_sandbox`;

/** Searches the merchants of the installation. */
export function searchMerchants(db: Db, search: MerchantSearch): Promise<Row[]> {
  const order = search.only === 'review_due' ? orders.due : orders.newest;
  return db.query(
    `select ${SUMMARY} from merchants m
     where ($1 = '' or m.id::text = lower($1) or m.business_name ilike $2 or m.business_email ilike $2)
       and ${servedHere('m.id')} and ${only[search.only]} and $3::timestamptz is not null
       and ($5::timestamptz is null or ${order.after.replace('$5', '$5::timestamptz').replace('$6', '$6::uuid')})
     order by ${order.by} limit $4`,
    [
      search.text,
      containsPattern(search.text),
      search.now,
      search.limit,
      search.after?.at ?? null,
      search.after?.id ?? null,
    ],
    `search_merchants_${search.only}`,
  );
}

/** A merchant's application and status. */
export async function merchantDetail(db: Db, id: string): Promise<Row | undefined> {
  const [row] = await db.query(
    `select ${SUMMARY}, m.business_description, m.business_website, m.business_support_email,
       m.business_timezone, m.phone_number, m.category_code, m.entity_type, m.prior_bankruptcies,
       a.email as owner_email, a.name as owner_name
     from merchants m left join accounts a on a.id = m.account_id where m.id = $1`,
    [id],
    'merchant_in_full',
  );
  return row;
}

/** Operators' actions on a merchant, newest first. */
export const operatorActionsOf = (db: Db, merchant_id: string, limit: number): Promise<Row[]> =>
  db.query(
    `select e.id, e.mode, e.kind, e.red_flag_id, e.reason, e.created_at, a.email as account_email
     from oversight_entries e join accounts a on a.id = e.account_id
     where e.merchant_id = $1 order by e.created_at desc, e.id desc limit $2`,
    [merchant_id, limit],
    'operator_actions_of',
  );

/** A merchant's red flags in both modes, newest first. */
export const redFlagsOf = (db: Db, merchant_id: string, limit: number): Promise<Row[]> =>
  db.query(
    `select id, mode, status, violation, source, comment, created_at, updated_at from red_flags
     where merchant_id = $1 order by created_at desc, id desc limit $2`,
    [merchant_id, limit],
    'red_flags_of',
  );

/** Enforcement actions against a merchant in both modes, newest first. */
export const enforcementActionsAgainst = (
  db: Db,
  merchant_id: string,
  limit: number,
): Promise<Row[]> =>
  db.query(
    `select id, mode, action, status, reason, red_flag_id, created_at, lifted_at
     from merchant_punitive_actions
     where merchant_id = $1 order by created_at desc, id desc limit $2`,
    [merchant_id, limit],
    'enforcement_actions_against',
  );

/** A merchant's accounts at processors in both modes. */
export const processorsOf = (db: Db, merchant_id: string, limit: number): Promise<Row[]> =>
  db.query(
    `select id, mode, kind, onboarding_state, processing_state, processor_account_id from processor_details
     where merchant_id = $1 order by created_at, id limit $2`,
    [merchant_id, limit],
    'processors_of',
  );

/** Number of a merchant's records of each kind; counts up to `up_to`. */
export async function merchantCounts(
  db: Db,
  merchant_id: string,
  up_to: number,
): Promise<Readonly<Record<string, number>>> {
  const counts = COUNTED.map(
    (table) =>
      `(select count(*) from (select 1 from ${table} where merchant_id = $1${countIn(table)} limit $2) t) as ${table}`,
  );
  const [row] = await db.query(
    `select ${counts.join(', ')}`,
    [merchant_id, up_to],
    'merchant_counts',
  );
  return Object.fromEntries(
    Object.entries(row ?? {}).map(([name, count]) => [name, Number(count)]),
  );
}

/** SQL condition that leaves out removed members. */
const countIn = (table: string): string =>
  table === 'memberships' ? ' and removed_at is null' : '';

const COUNTED = [
  'customers',
  'payment_demands',
  'refund_demands',
  'disputes',
  'memberships',
] as const;
