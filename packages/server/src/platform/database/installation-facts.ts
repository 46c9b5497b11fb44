import type { Db } from './db.ts';

/** What a database belongs to outside of itself. */
export type Fact = 'card_network' | 'secrets_key';

/** The value of a fact; undefined where nothing is known yet. */
export async function factOf(db: Db, name: Fact): Promise<string | undefined> {
  const [row] = await db.query('select value from installation_facts where name = $1', [name]);
  return row?.value as string | undefined;
}

/** Stores a fact that is not known yet. Gives the value that counts: of several starts at once, the first one's. */
export async function learnFact(db: Db, name: Fact, value: string): Promise<string> {
  await db.query(
    'insert into installation_facts (name, value) values ($1, $2) on conflict do nothing',
    [name, value],
  );
  return (await factOf(db, name)) ?? value;
}

/** Puts another value in the place of `before`; false where another start has changed it meanwhile. */
export async function changeFact(
  db: Db,
  name: Fact,
  { before, after }: { readonly before: string; readonly after: string },
): Promise<boolean> {
  const changed = await db.query(
    'update installation_facts set value = $3 where name = $1 and value = $2 returning name',
    [name, before, after],
  );
  return changed.length > 0;
}

/** Forgets a fact; false where it was not known. */
export async function forgetFact(db: Db, name: Fact): Promise<boolean> {
  const gone = await db.query('delete from installation_facts where name = $1 returning name', [
    name,
  ]);
  return gone.length > 0;
}
