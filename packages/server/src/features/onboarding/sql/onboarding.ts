import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';

/**
 * A merchant's application: its columns, and how many people, addresses and bank accounts live mode has.
 */
export async function findApplication(db: Db, merchant_id: string): Promise<Row | undefined> {
  const [row] = await db.query(
    `select m.*,
       (select count(*) from corporate_officials where merchant_id = m.id and mode = 'live') as officials,
       (select count(*) from beneficial_owners where merchant_id = m.id and mode = 'live') as owners,
       (select count(*) from legal_addresses where merchant_id = m.id and mode = 'live') as addresses,
       (select count(*) from financial_institutions where merchant_id = m.id) as banks
     from merchants m where m.id = $1`,
    [merchant_id],
    'find_application',
  );
  return row;
}

export const applicationColumns = [
  'category_code',
  'entity_type',
  'prior_bankruptcies',
  'tax_id_type',
] as const;
/** Columns that the merchant can change until it submits the application. */
export type ApplicationChange = Partial<
  Record<(typeof applicationColumns)[number], string | boolean>
>;

/** Changes an application. Returns false if it was already submitted. */
export async function updateApplication(
  db: Db,
  merchant_id: string,
  change: ApplicationChange,
  at: string,
): Promise<boolean> {
  const names = Object.keys(change);
  const set = names.map((name, index) => `${name} = $${index + 3}`);
  const rows = await db.query(
    `update merchants set ${['updated_at = $2', ...set].join(', ')}
     where id = $1 and submitted_at is null returning id`,
    [merchant_id, at, ...Object.values(change)],
  );
  return rows.length > 0;
}

/** Submits an application. Returns false if it was already submitted. */
export async function submitApplication(db: Db, merchant_id: string, at: string): Promise<boolean> {
  const rows = await db.query(
    `update merchants set submitted_at = $2, updated_at = $2
     where id = $1 and submitted_at is null returning id`,
    [merchant_id, at],
    'submit_application',
  );
  return rows.length > 0;
}

/** Number of merchants that the account has opened. */
export async function countOpened(db: Db, account_id: string): Promise<number> {
  const [row] = await db.query(
    'select count(*) as count from memberships where account_id = $1 and opener',
    [account_id],
    'count_opened',
  );
  return Number(row?.count);
}

/** Locks an account, so that two of its requests cannot open merchants concurrently. */
export async function lockAccount(tx: Db, account_id: string): Promise<void> {
  await tx.query(
    'select 1 from accounts where id = $1 for no key update',
    [account_id],
    'lock_account',
  );
}
