import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';

/** Columns that a cell needs of an account: never its password, factors or role. */
const COLUMNS = [
  'id',
  'email',
  'name',
  'account_status',
  'email_verified_at',
  'locale',
  'owner_id',
  'personal_identification_id',
  'created_at',
  'updated_at',
] as const;

/** Columns to copy of accounts. Leaves out unknown ids. */
export const readAccountsToCopy = (global: Db, ids: readonly string[]): Promise<Row[]> =>
  global.query(
    `select ${COLUMNS.join(', ')} from accounts where id = any ($1::uuid[])`,
    [ids],
    'accounts_to_copy',
  );

/**
 * Stores a copy of an account. Returns the id of another copy that still had its address, which then has none: the caller
 * copies that account too.
 */
export async function storeAccountCopy(cell: Db, account: Row): Promise<string | undefined> {
  const [outdated] = await cell.query(
    `update accounts set email = id::text where lower(email) = lower($1) and id <> $2 returning id`,
    [account.email, account.id],
    'free_address_of_copy',
  );
  const values = COLUMNS.map((name, at) =>
    // An account's owner may be in other cells alone.
    name === 'owner_id'
      ? `case when $${at + 1}::uuid = $1 then $1 else (select id from accounts where id = $${at + 1}::uuid) end`
      : `$${at + 1}`,
  );
  await cell.query(
    `insert into accounts (${COLUMNS.join(', ')}) select ${values.join(', ')}
     on conflict (id) do update set ${COLUMNS.slice(1)
       .map((name) => `${name} = excluded.${name}`)
       .join(', ')}`,
    COLUMNS.map((name) => account[name] ?? null),
    'store_account_copy',
  );
  return outdated?.id ?? undefined;
}
