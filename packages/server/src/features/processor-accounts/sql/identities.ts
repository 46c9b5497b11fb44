import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { ACCOUNTS_MAX } from '../accounts.ts';

/** Accounts in use without an identity, oldest first. */
export const selectUnidentified = (db: Db): Promise<Row[]> =>
  db.query(
    `select id, mode, processor, settings from processor_accounts
     where identity is null and status <> 'removed' order by created_at, id limit $1`,
    [ACCOUNTS_MAX],
    'unidentified_processor_accounts',
  );

/**
 * Stores the identity of an account whose settings are still those of the row. Returns false if another account of the
 * mode has it.
 */
export async function setIdentity(
  db: Db,
  { id, mode, processor, settings }: Row,
  identity: string,
): Promise<boolean> {
  const [row] = await db.query(
    `with other as (
       select 1 from processor_accounts
       where mode = $1 and processor = $2 and identity = $3 and id <> $4 and status <> 'removed'
     ), stored as (
       update processor_accounts set identity = $3
       where id = $4 and identity is null and settings = $5::jsonb and not exists (select from other)
     )
     select exists (select from other) as is_taken`,
    [mode, processor, identity, id, settings],
    'set_processor_account_identity',
  );
  return row?.is_taken !== 't';
}
