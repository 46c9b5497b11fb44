import type { Db } from '../db.ts';

/** Facts that tie a database to systems outside it, and results of operators' checks. */
export type Fact =
  | 'card_network'
  // Name and id of the cell that the database is.
  | 'cell'
  | 'restored'
  | `restore_${'learned' | 'progress' | 'request' | 'result' | 'run' | 'since'}`
  // Identity of the vault that the servers of the cell use.
  | 'vault'
  | 'secrets_key'
  | 'request_hashes'
  | `check_${string}`;

/** Reads a fact; undefined if none is stored. */
export async function factOf(db: Db, name: Fact): Promise<string | undefined> {
  const [row] = await db.query('select value from installation_facts where name = $1', [name]);
  return row?.value as string | undefined;
}

/**
 * Stores a fact unless one is stored, and returns the stored value. The first of concurrent starts stores its value.
 */
export async function storeFact(db: Db, name: Fact, value: string): Promise<string> {
  await db.query(
    'insert into installation_facts (name, value) values ($1, $2) on conflict do nothing',
    [name, value],
  );
  return (await factOf(db, name)) ?? value;
}

/** Replaces a fact whose value is `previousValue`. Returns false if another process has changed it. */
export async function changeFact(
  db: Db,
  name: Fact,
  { previousValue, newValue }: { readonly previousValue: string; readonly newValue: string },
): Promise<boolean> {
  const changedRows = await db.query(
    'update installation_facts set value = $3 where name = $1 and value = $2 returning name',
    [name, previousValue, newValue],
  );
  return changedRows.length > 0;
}

/** Deletes a fact; returns false if none was stored. */
export async function deleteFact(db: Db, name: Fact): Promise<boolean> {
  const deletedRows = await db.query(
    'delete from installation_facts where name = $1 returning name',
    [name],
  );
  return deletedRows.length > 0;
}

/** Stores a fact in place of the stored one. */
export const replaceFact = (db: Db, name: Fact, value: string): Promise<unknown> =>
  db.query(
    `insert into installation_facts (name, value) values ($1, $2)
     on conflict (name) do update set value = excluded.value`,
    [name, value],
  );
