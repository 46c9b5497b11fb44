import { SEARCH_HITS_MAX } from '@florin/contract/search.ts';

/**
 * Newest records of a type that every search reads, whatever the text. Smaller merchants need no index, and frequent texts
 * are found here, so that no search reads a long part of an index.
 */
export const RECENT_MAX = 1_000;
/** Records from an index that a search compares with its text. */
const CANDIDATES_MAX = 1_000;

/** A table whose rows have a text. */
export interface SearchedTable {
  readonly table: string;
  /** SQL of the searched text of a row, as in the table's search index. */
  readonly text: string;
  /** SQL condition of the rows in the table's search index; absent without an index. */
  readonly indexed?: string;
  /** Other columns of recent rows that `also_recent` needs. */
  readonly columns?: string;
  /** SQL condition of recent rows that match by something else than their text. */
  readonly also_recent?: string;
  /** SELECTs of `id` and `created_at` of older rows that match by something else. */
  readonly also_older?: readonly string[];
}

/** SQL condition: the merchant may have rows beyond the recent ones. */
export const HAS_OLDER = `(select count(*) from recent) = ${RECENT_MAX}`;
const MATCHES = 'like all ((select patterns from folded)::text[])';
const NEWEST = 'order by created_at desc, id desc limit';

/**
 * SQL of CTEs that end with `found`: id and time of the newest matching rows, $7 at most. Older rows are searched only
 * where the recent ones are not enough. Parameters: $1 merchant, $2 mode, $3 patterns, $4 words, $5 and $6 range of ids or
 * null, $7 limit.
 */
export function foundCtes(searched: SearchedTable): string {
  const { table, text, columns, also_recent = 'false' } = searched;
  return `folded as materialized (select
      (select array_agg(search_folded(p)) from unnest($3::text[]) p) as patterns,
      (select array_agg(distinct k) from unnest($4::text[]) w, unnest(search_keys($1::uuid, $2::text, search_folded(w))) k) as keys),
    recent as materialized (select id, created_at, ${columns ? `${columns}, ` : ''}${text} as text
      from ${table} where merchant_id = $1 and mode = $2 ${NEWEST} ${RECENT_MAX}),
    recent_matches as materialized (select id, created_at from recent
      where ${also_recent} or search_folded(text) ${MATCHES} ${NEWEST} ${SEARCH_HITS_MAX}),
    older_matches as (${olderMatches(searched)}),
    by_id as (select id, created_at from ${table}
      where merchant_id = $1 and mode = $2 and id between $5::uuid and $6::uuid order by id desc limit ${SEARCH_HITS_MAX}),
    matches as materialized (select id, created_at from recent_matches union select id, created_at from older_matches
      union select id, created_at from by_id ${NEWEST} ${SEARCH_HITS_MAX}),
    found as (select id, created_at from matches ${NEWEST} $7)`;
}

/** SQL conditions of the numbers of matches. */
interface Totals {
  /** The type has matches which its statement does not read. */
  readonly has_unread?: string;
  /** A match `m` is in the type's list. */
  readonly listed?: string;
}

/** SQL of columns that count the matches in the type's list, and say whether there may be more. */
export const totalColumns = ({ has_unread = 'false', listed = 'true' }: Totals = {}): string =>
  `(select count(*) from matches m where ${listed}) as total, (select count(*) from matches) >= ${SEARCH_HITS_MAX}
    or (select count(*) from recent_matches) >= $7 and ${HAS_OLDER} or ${has_unread} as total_is_minimum`;

function olderMatches({ table, text, indexed, also_older = [] }: SearchedTable): string {
  // The keys have the scope in them. As a condition beside them, PostgreSQL would read the whole scope from another index.
  const byText = `select id, created_at from (select merchant_id, mode, id, created_at from ${table}
      where ${indexed} and search_keys(merchant_id, mode, search_folded(${text})) @> (select keys from folded)
        and search_folded(${text}) ${MATCHES} limit ${CANDIDATES_MAX}) candidates
    where merchant_id = $1 and mode = $2`;
  const selects = [...(indexed ? [byText] : []), ...also_older];
  if (selects.length === 0) return 'select id, created_at from recent where false';
  return `select id, created_at from (${selects.map((select) => `(${select})`).join(' union all ')}) older
    where (select count(*) from recent_matches) < $7 and ${HAS_OLDER}`;
}
