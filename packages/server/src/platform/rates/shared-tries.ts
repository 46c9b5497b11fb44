import type { Db } from '../database/db.ts';
import type { Row } from '../database/row.ts';

/** Tries to add to what is known of a subject. None leaves the count as it is and tells it. */
export interface TryCount {
  readonly subject: string;
  readonly tries: number;
  /** When a window ends that begins now; one that is running ends when it was to. */
  readonly expires_at: string;
}

export interface TriesSoFar {
  readonly tries: number;
  readonly expires_at: string;
}

/** Where tries are counted: of cards, or of what people sign in with. */
export type TryTable = 'card_tries' | 'access_tries';

/** Where tries are counted, and how far. */
interface Counting {
  readonly table?: TryTable;
  /** Tries that are counted of a subject in a window; of one that has as many nothing is written or given. */
  readonly up_to?: number;
}

/** Counts tries of different subjects, all in one order, so that two requests never wait for each other in a circle. */
export async function countTries(
  db: Db,
  counts: readonly TryCount[],
  now: string,
  { table = 'card_tries', up_to }: Counting = {},
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
  return bySubject(rows);
}

/** Counts of subjects whose windows still run. Counts nothing itself. */
export async function knownTries(
  db: Db,
  subjects: readonly string[],
  now: string,
): Promise<ReadonlyMap<string, TriesSoFar>> {
  const rows = await db.query(
    'select subject, tries, expires_at from card_tries where subject = any ($1::text[]) and expires_at > $2',
    [subjects, now],
    'known_tries',
  );
  return bySubject(rows);
}

const bySubject = (rows: readonly Row[]): ReadonlyMap<string, TriesSoFar> =>
  new Map(
    rows.map(({ subject, tries, expires_at }) => [
      subject as string,
      { tries: Number(tries), expires_at: expires_at as string },
    ]),
  );

/** Forgets the tries of windows that have ended by `now`, at most `limit` subjects. Returns how many. */
export async function forgetTries(
  db: Db,
  now: string,
  limit: number,
  table: TryTable = 'card_tries',
): Promise<number> {
  const forgotten = await db.query(
    `with over as (select subject from ${table} where expires_at <= $1
       order by expires_at limit $2 for update skip locked)
     delete from ${table} where subject in (select subject from over) returning 1`,
    [now, limit],
    `forget_${table}`,
  );
  return forgotten.length;
}
