import type { Parameters } from '../../../jsonapi/filter-to-sql/parameters.ts';
import type { SearchText } from '../search-text.ts';

/** SQL condition: a text has all words of the search. PostgreSQL folds the patterns once. */
export const matchesPatterns = (
  text: string,
  patterns: SearchText['patterns'],
  parameters: Parameters,
): string =>
  `search_folded(${text}) like all (
    (select array_agg(search_folded(p)) from unnest(${parameters.bind(patterns)}::text[]) p)::text[])`;

/** SQL condition: the search index leads from the words to the row. The keys have the scope in them. */
export const hasKeys = (text: string, words: SearchText['words'], parameters: Parameters): string =>
  `search_keys(merchant_id, mode, search_folded(${text})) @> (select array_agg(distinct k)
    from unnest(${parameters.bind(words)}::text[]) w,
      unnest(search_keys(${parameters.merchant()}::uuid, ${parameters.mode()}::text, search_folded(w))) k)`;
