import { type Catalog, recordsetOf } from '../../platform/database/catalog.ts';
import type { Db } from '../../platform/database/db.ts';
import { notStopped } from '../../platform/database/installation/stopped.ts';
import type { Row } from '../../platform/database/row.ts';
import type { Scope } from '../../platform/database/scope.ts';
import { withinSql } from '../../platform/database/within.ts';
import { BRAND_COLUMNS } from '../../platform/emails/brand.ts';
import {
  type ClaimOptions,
  coversAllMerchants,
  dueMerchantsSql,
} from '../../platform/workers/claim.ts';
import { shuffledBy, shuffleSeed } from '../../platform/workers/shuffle.ts';
import { isOnClockSql } from '../timelines/sql/timeline-work.ts';

/** SQL: facts of an email that nothing sends, with the merchant's brand and the card. */
const FACTS_WITH_BRAND = `i.facts || jsonb_strip_nulls(jsonb_build_object('card', p.card, 'merchant',
  jsonb_build_object(${BRAND_COLUMNS.map((column) => `'${column}', m.${column}`).join(', ')})))`;

/**
 * Stores emails in the caller's transaction, with the customer's address and language. The
 * subscription's notice address takes precedence; the merchant's language is the default. Leaves
 * out existing emails and customers without an address.
 * Due times never exceed the database's current time, even on an advanced sandbox clock. `offset 0`
 * makes the planner look up customers by key; without statistics, it would read all customers of a
 * merchant.
 */
export async function insertEmails(
  tx: Db,
  catalog: Catalog,
  emails: readonly Row[],
): Promise<void> {
  if (emails.length === 0) return;
  const table = catalog('letters');
  const joinedColumns: Readonly<Record<string, string>> = {
    to_email: 'coalesce(s.subscription_notification_email, c.email)',
    locale: 'coalesce(c.locale, m.locale)',
    due_at: 'case when i.due_at is not null then least(i.due_at, now()) end',
    facts: `case when i.due_at is null then ${FACTS_WITH_BRAND} else i.facts end`,
  };
  const columns = table.columns.join(', ');
  const sources = table.columns.map(
    (column) => `${joinedColumns[column] ?? `i.${column}`} as ${column}`,
  );
  await tx.query(
    `with new_letters as materialized (select ${sources.join(', ')}
     from json_populate_recordset(null::letters, $1::json) i
     join merchants m on m.id = i.merchant_id
     left join lateral (select email, locale from customers
       where merchant_id = i.merchant_id and id = i.customer_id offset 0) c on true
     left join lateral (select subscription_notification_email from payment_subscriptions
       where merchant_id = i.merchant_id and id = i.payment_subscription_id offset 0) s on true
     left join lateral (select jsonb_build_object('kind', kind, 'last_four', last_four) as card from payment_methods
       where i.due_at is null and merchant_id = i.merchant_id and id = i.payment_method_id offset 0) p on true
     where ${joinedColumns.to_email} is not null
     order by i.merchant_id, i.subject_id, i.kind, i.occasion)
     insert into letters (${columns}) select ${columns} from new_letters
     on conflict (merchant_id, subject_id, kind, occasion) do nothing`,
    [recordsetOf(table, emails)],
    'insert_letters',
  );
}

/** Selection of due emails to lock. */
export type DueEmails = Pick<Scope, 'mode'> & Pick<ClaimOptions, 'now' | 'limit' | 'within'>;

/**
 * CTE `due` of locked due emails of a mode. Each merchant gets an equal share of the limit, its oldest emails first, so
 * that a large mailing does not delay other merchants. Modes do not delay each other.
 */
function dueEmailsSql({ mode, now, limit, within }: DueEmails, columns: string) {
  const { sql, name, values } = withinSql('letters', within, 5);
  const owners = coversAllMerchants(within)
    ? dueMerchantsSql('letters', 't.mode = $3')
    : 'select $5::uuid as merchant_id';
  return {
    name,
    values: [now, limit, mode, shuffleSeed(), ...values],
    sql: `with recursive owners as (${owners}),
     turns as materialized (
       select merchant_id, ceil($2::numeric / count(*) over ())::int as part from owners
       where merchant_id is not null order by ${shuffledBy('merchant_id', 4)}
     ),
     due as materialized (
       select d.* from turns cross join lateral (
         select ${columns} from letters t
         where t.mode = $3 and t.merchant_id = turns.merchant_id and t.due_at <= $1 and ${sql}
         order by t.due_at limit turns.part for no key update skip locked
       ) d limit $2
     )`,
  };
}

/** Claims due emails of a mode: moves `due_at` to the end of a lease, as `claimDue` does. */
export function claimEmails(
  db: Db,
  { lease_until, ...dueEmails }: DueEmails & Pick<ClaimOptions, 'lease_until'>,
): Promise<Row[]> {
  const { sql, name, values } = dueEmailsSql(dueEmails, 't.merchant_id, t.id');
  return db.query(
    `${sql} update letters t set due_at = $${values.length + 1} from due
     where t.merchant_id = due.merchant_id and t.id = due.id
     returning t.*`,
    [...values, lease_until],
    `claim_letters${name}`,
    'kept',
  );
}

/** Locks due emails of a mode until the end of the transaction, for work that nothing outside the database sees. */
export function lockDueEmails(tx: Db, dueEmails: DueEmails): Promise<Row[]> {
  const { sql, name, values } = dueEmailsSql(dueEmails, 't.*');
  return tx.query(`${sql} select * from due`, values, `lock_due_letters${name}`);
}

/**
 * Deletes at most `limit` finished emails created before `until`, oldest first. Returns the number
 * of deleted rows.
 */
export async function pruneEmailsUntil(db: Db, until: string, limit: number): Promise<number> {
  const deletedRows = await db.query(
    `with over as (select merchant_id, id from letters where due_at is null and created_at <= $1 and ${notStopped('merchant_id')}
       order by created_at limit $2 for update skip locked)
     delete from letters where (merchant_id, id) in (select * from over) returning 1`,
    [until, limit],
    'prune_emails',
  );
  return deletedRows.length;
}

/** Deletes finished emails of advanced sandbox clocks, created before `until` of their clock. */
export async function pruneEmailsOfTimelines(
  db: Db,
  until: string,
  limit: number,
): Promise<number> {
  const deletedRows = await db.query(
    `with over as materialized (select l.* from sandbox_clocks c cross join lateral (
         select t.merchant_id, t.id from letters t
         where ${isOnClockSql('letters')} and t.due_at is null and ${notStopped('t.merchant_id')}
           and t.created_at <= $1::timestamptz + c.ahead_seconds * interval '1 second'
         order by t.created_at limit $2 for update skip locked) l
       where c.ahead_seconds > 0 and c.status <> 'removed' limit $2)
     delete from letters where (merchant_id, id) in (select * from over) returning 1`,
    [until, limit],
    'prune_emails_ahead',
  );
  return deletedRows.length;
}

/** Receipt of a payment that was repeated in an hour. */
export async function findReceipt(
  db: Db,
  { merchant_id, mode }: Scope,
  payment_id: string,
  hour: string,
): Promise<Row | undefined> {
  const [row] = await db.query(
    `select to_email from letters
     where merchant_id = $1 and mode = $2 and subject_id = $3 and kind = 'receipt' and occasion = $4`,
    [merchant_id, mode, payment_id, hour],
    'repeated_receipt',
  );
  return row;
}
