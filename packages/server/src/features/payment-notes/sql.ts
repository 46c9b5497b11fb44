import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import type { Scope } from '../../platform/database/scope.ts';

/** Notes about a payment, oldest first, with their authors. */
export const listNotes = (
  db: Db,
  { merchant_id, mode }: Scope,
  payment_id: string,
  limit: number,
): Promise<Row[]> =>
  db.query(
    `select n.id, n.account_id, n.body, n.created_at, coalesce(nullif(a.name, ''), a.email) as author
     from payment_notes n join accounts a on a.id = n.account_id
     where n.merchant_id = $1 and n.mode = $2 and n.payment_demand_id = $3
     order by n.created_at, n.id limit $4`,
    [merchant_id, mode, payment_id, limit],
    'payment_notes',
  );

/** A payment with its amount, and the number of its notes up to `limit`. Undefined without a payment. */
export async function findNotedPayment(
  tx: Db,
  { merchant_id, mode }: Scope,
  payment_id: string,
  limit: number,
): Promise<Row | undefined> {
  const [row] = await tx.query(
    `select p.amount_cents, p.amount_currency, (select count(*) from (select from payment_notes n
         where n.merchant_id = p.merchant_id and n.payment_demand_id = p.id limit $4) counted) as notes
     from payment_demands p where p.merchant_id = $1 and p.mode = $2 and p.id = $3`,
    [merchant_id, mode, payment_id, limit],
    'noted_payment',
  );
  return row;
}

/** A note, and the account that wrote it. */
export interface OwnNote {
  readonly payment_id: string;
  readonly id: string;
  readonly account_id: string;
}

/** Deletes a note of its author. Returns false if the author has no such note. */
export async function deleteOwnNote(
  db: Db,
  { merchant_id, mode }: Scope,
  note: OwnNote,
): Promise<boolean> {
  const rows = await db.query(
    `delete from payment_notes
     where merchant_id = $1 and mode = $2 and payment_demand_id = $3 and id = $4 and account_id = $5
     returning id`,
    [merchant_id, mode, note.payment_id, note.id, note.account_id],
    'delete_payment_note',
  );
  return rows.length > 0;
}

/** Members with an open membership and an active account, by name. */
export const listColleagues = (db: Db, merchant_id: string, limit: number): Promise<Row[]> =>
  db.query(
    `select b.id as membership_id, b.account_id, b.opener, b.permissions, b.invited_mode, a.email,
       coalesce(nullif(a.name, ''), a.email) as label
     from memberships b join accounts a on a.id = b.account_id
     where b.merchant_id = $1 and b.accepted_at is not null and b.removed_at is null
       and a.account_status = 'active'
     order by label, b.id limit $2`,
    [merchant_id, limit],
    'colleagues',
  );
