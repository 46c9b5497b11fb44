import { createParameters, type Statement } from '../../../../jsonapi/filter-to-sql/parameters.ts';
import type { Row } from '../../../../platform/database/row.ts';
import type { Scope } from '../../../../platform/database/scope.ts';
import type { SearchText } from '../../search-text.ts';
import { hasKeys, matchesPatterns } from '../../sql/folded.ts';
import { CUSTOMER_TEXT } from '../../sql/names.ts';
import { SAMPLE, SAMPLE_FREQUENT } from './sample.ts';

/** Payers whose payments are found by their ids. Beyond, each payment is compared with its own payer. */
const PAYERS_MAX = 1_000;

/** Ids of all customers that match a text; undefined if there are too many. */
export type Payers = readonly string[] | undefined;

/**
 * Statement that finds customers by a part of their name, email address or phone number, or by their id. A merged customer
 * leads to the one who remains. A text that many of the newest customers have is not looked up in the index.
 */
export function payersStatement(scope: Scope, text: SearchText): Statement {
  const parameters = createParameters(scope);
  const inScope = `merchant_id = ${parameters.merchant()} and mode = ${parameters.mode()}`;
  const { patterns, words, ids } = text;
  // Without a long word the index finds nothing.
  const isFrequent = words.length > 0 ? `matched >= ${SAMPLE_FREQUENT}` : 'true';
  const byIndex = `select id, merged_into_id from (
      select merchant_id, mode, id, merged_into_id from customers
      where ${hasKeys(CUSTOMER_TEXT, words, parameters)} and ${matchesPatterns(CUSTOMER_TEXT, patterns, parameters)}
      limit ${PAYERS_MAX + 1}) candidates
    where ${inScope} and (select size = ${SAMPLE} and matched < ${SAMPLE_FREQUENT} from sample)`;
  const byId = `select id, merged_into_id from customers
    where ${inScope} and id between ${parameters.bind(ids?.from)}::uuid and ${parameters.bind(ids?.to)}::uuid`;
  return parameters.statement(`
    with recent as materialized (
      select id, merged_into_id, ${matchesPatterns(CUSTOMER_TEXT, patterns, parameters)} as is_match
      from (select * from customers where ${inScope} order by created_at desc, id desc limit ${SAMPLE}) newest),
    sample as materialized (select count(*) as size, count(*) filter (where is_match) as matched from recent)
    select size = ${SAMPLE} and ${isFrequent} as is_frequent, payers.*
    from sample, (
      select count(*) as found, string_agg(coalesce(merged_into_id, id)::text, ',') as ids from (
        select id, merged_into_id from recent where is_match
        union (${byIndex}) union (${byId}) limit ${PAYERS_MAX + 1}) matches) payers`);
}

/** Reads the result of `payersStatement`. No row: the statement took too long. */
export function readPayers(row: Row | undefined): Payers {
  if (!row || row.is_frequent === 't' || Number(row.found) > PAYERS_MAX) return undefined;
  return row.ids?.split(',') ?? [];
}
