import type { Db } from '../database/db.ts';
import type { Row } from '../database/row.ts';

/** Attempts to add to a subject's count; zero only reads the count. */
export interface TryCount {
  readonly subject: string;
  readonly tries: number;
  /** End of a window that begins now. A running window keeps its own end. */
  readonly expires_at: string;
}

export interface TriesSoFar {
  readonly tries: number;
  readonly expires_at: string;
}

/** Tables of attempt counts: card attempts and sign-in attempts. */
export type TryTable = 'card_tries' | 'access_tries';

/** Table and limit of a count. */
interface CountOptions {
  readonly table?: TryTable;
  /** Maximum count per window. Higher counts are neither stored nor returned. */
  readonly up_to?: number;
}

/** Adds to the counts of several subjects. Sorting prevents deadlocks between requests. */
export async function countTries(
  db: Db,
  counts: readonly TryCount[],
  now: string,
  { table = 'card_tries', up_to }: CountOptions = {},
): Promise<ReadonlyMap<string, TriesSoFar>> {
  const rows = await db.query(
    `insert into ${table} as known (subject, tries, expires_at)
     select * from unnest($1::text[], $2::int[], $3::timestamptz[]) as i (subject, tries, expires_at) order by 1
     on conflict (subject) do update set
       tries = excluded.tries + case when known.expires_at > $4 then known.tries else 0 end,
       expires_at = case when known.expires_at > $4 then known.expires_at else excluded.expires_at end
     where $5::int is null or known.tries < $5 or known.expires_at <= $4
     returning subject, tries, expires_at`,
    [
      counts.map(({ subject }) => subject),
      counts.map(({ tries }) => tries),
      counts.map(({ expires_at }) => expires_at),
      now,
      up_to ?? null,
    ],
    `count_${table}`,
  );
  return triesBySubject(rows);
}

/** Reads the counts of subjects with running windows. */
export async function findTries(
  db: Db,
  subjects: readonly string[],
  now: string,
): Promise<ReadonlyMap<string, TriesSoFar>> {
  const rows = await db.query(
    'select subject, tries, expires_at from card_tries where subject = any ($1::text[]) and expires_at > $2',
    [subjects, now],
    'known_tries',
  );
  return triesBySubject(rows);
}

const triesBySubject = (rows: readonly Row[]): ReadonlyMap<string, TriesSoFar> =>
  new Map(
    rows.map(({ subject, tries, expires_at }) => [
      subject as string,
      { tries: Number(tries), expires_at: expires_at as string },
    ]),
  );

/** Deletes counts of windows that ended by `now`, at most `limit` subjects. Returns the number deleted. */
export async function pruneTries(
  db: Db,
  now: string,
  limit: number,
  table: TryTable = 'card_tries',
): Promise<number> {
  const deletedRows = await db.query(
    `with over as (select subject from ${table} where expires_at <= $1
       order by expires_at limit $2 for update skip locked)
     delete from ${table} where subject in (select subject from over) returning 1`,
    [now, limit],
    `prune_${table}`,
  );
  return deletedRows.length;
}
