import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';

/** Disputes to list, and the page. */
export interface ClosableSearch {
  /** Null: of all accounts. */
  readonly processor_account_id: string | null;
  /** Answered disputes without a change since then have a silent account. */
  readonly silent_before: string;
  readonly limit: number;
  readonly after: { readonly at: string; readonly id: string } | undefined;
}

/** Undecided disputes of removed or silent accounts, of all merchants, oldest first. */
export const listClosable = (
  db: Db,
  { processor_account_id, silent_before, limit, after }: ClosableSearch,
): Promise<Row[]> =>
  db.query(
    `select d.merchant_id, d.mode, d.id, d.status, d.reason, d.reference, d.amount_cents, d.amount_currency,
       d.payment_demand_id, d.created_at, d.updated_at, a.id as processor_account_id, a.name as account,
       case a.status when 'removed' then 'removed' else 'silent' end as why, m.business_name
     from disputes d join processor_accounts a on a.id = d.processor_account_id
     join merchants m on m.id = d.merchant_id
     where d.processor_account_id is not null and d.status not in ('won', 'lost')
       and ($1::uuid is null or d.processor_account_id = $1)
       and (a.status = 'removed' or d.status <> 'needs_response' and d.updated_at <= $2)
       and ($4::timestamptz is null or (d.created_at, d.id) > ($4::timestamptz, $5::uuid))
     order by d.created_at, d.id limit $3`,
    [processor_account_id, silent_before, limit, after?.at ?? null, after?.id ?? null],
    'closable_disputes',
  );

/** An undecided or decided dispute by its id alone: operators name no merchant. */
export async function findDisputeById(db: Db, id: string): Promise<Row | undefined> {
  const [row] = await db.query('select * from disputes where id = $1', [id], 'dispute_by_id');
  return row;
}

/** A closing that a command on the server asks for. */
export interface NewClosing {
  readonly outcome: string;
  readonly reason: string;
  readonly at: string;
}

/** Stores a closing. A later one replaces it until a worker has closed the dispute. */
export async function requestClosing(
  db: Db,
  { merchant_id, mode, id }: Row,
  { outcome, reason, at }: NewClosing,
): Promise<void> {
  await db.query(
    `insert into dispute_closings (merchant_id, mode, id, outcome, reason, created_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (merchant_id, id) do update set outcome = excluded.outcome, reason = excluded.reason`,
    [merchant_id ?? null, mode ?? null, id ?? null, outcome, reason, at],
    'request_dispute_closing',
  );
}

/** Closings to try: new ones first, then those that failed until `tried_before`, by their last try. */
export const listClosings = (
  db: Db,
  mode: string,
  { tried_before, limit }: { readonly tried_before: string; readonly limit: number },
): Promise<Row[]> =>
  db.query(
    `select * from dispute_closings where mode = $1 and (tried_at is null or tried_at <= $2)
     order by tried_at nulls first, created_at limit $3`,
    [mode, tried_before, limit],
    'dispute_closings',
  );

/** Notes a failed try. */
export async function deferClosing(db: Db, { merchant_id, id }: Row, at: string): Promise<void> {
  await db.query(
    'update dispute_closings set tried_at = $3 where merchant_id = $1 and id = $2',
    [merchant_id ?? null, id ?? null, at],
    'defer_dispute_closing',
  );
}

/** Ends a request. Returns false if another process has ended it. */
export async function deleteClosing(tx: Db, { merchant_id, id, outcome }: Row): Promise<boolean> {
  const rows = await tx.query(
    'delete from dispute_closings where merchant_id = $1 and id = $2 and outcome = $3 returning id',
    [merchant_id ?? null, id ?? null, outcome ?? null],
    'delete_dispute_closing',
  );
  return rows.length > 0;
}
