import { createParameters, type Statement } from '../../../../jsonapi/filter-to-sql/parameters.ts';
import type { Row } from '../../../../platform/database/row.ts';
import type { Scope } from '../../../../platform/database/scope.ts';
import { matchesPatterns } from '../../sql/folded.ts';
import { INCOMPLETE } from '../../sql/purchases.ts';
import { SAMPLE, SAMPLE_FREQUENT } from './sample.ts';
import { isPart, type PaymentTerms, type Way } from './ways.ts';

/** Payments that a list gets by their ids. A list of more is read in its own order instead. */
const IDS_MAX = 5_000;
/** Newest incomplete payments whose reference is compared. The search index has only payments with an outcome. */
const INCOMPLETE_MAX = 5_000;

/** All payments that match a text. */
interface FoundIds {
  readonly ids: readonly string[];
  /** Whether no older incomplete payment may match too. */
  readonly has_all: boolean;
}

interface Request {
  readonly terms: PaymentTerms;
  readonly ways: readonly Way[];
  /** Whether the list may have incomplete payments. */
  readonly with_incomplete: boolean;
}

/**
 * Statement that finds the ids of all payments that match a text, of any state and time. Finds none if the text is frequent
 * among the newest payments. Undefined if a way has no index.
 */
export function idsStatement(scope: Scope, request: Request): Statement | undefined {
  const parameters = createParameters(scope);
  const { ways, terms, with_incomplete } = request;
  const selects = ways.map((way) => way.idSelects(parameters));
  if (selects.includes(undefined)) return undefined;
  const scoped = `merchant_id = ${parameters.merchant()} and mode = ${parameters.mode()}`;
  const newest = (condition: string, max: number) => `select * from payment_demands
    where ${scoped} and ${condition} order by created_at desc, id desc limit ${max}`;
  const isCompared = with_incomplete && isPart(terms) ? INCOMPLETE : 'false';
  const matches = matchesPatterns('purchase_reference', terms.patterns, parameters);
  const all = [...selects.flat(), `select id from incomplete where ${matches}`];
  const limited = all.map((select) => `(${select} limit ${IDS_MAX + 1})`).join(' union ');
  const isMatch = ways.map((way) => way.matches('t', parameters)).join(' or ');
  return parameters.statement(`
    with sample as materialized (
      select count(*) < ${SAMPLE} or count(*) filter (where ${isMatch}) < ${SAMPLE_FREQUENT} as is_rare
      from (${newest('true', SAMPLE)}) t),
    incomplete as materialized (
      select id, purchase_reference from (${newest(isCompared, INCOMPLETE_MAX + 1)}) t),
    found as materialized (select id from (${limited}) f limit ${IDS_MAX + 1})
    select case when is_rare then (select string_agg(id::text, ',') from found) end as ids,
      case when is_rare then (select count(*) from found) end as found,
      case when is_rare then (select count(*) from incomplete) end as compared
    from sample`);
}

/** Reads the result of `idsStatement`. No row: the statement took too long. Undefined if too many payments match. */
export function readIds(row: Row | undefined): FoundIds | undefined {
  if (!row || row.found === null || Number(row.found) > IDS_MAX) return undefined;
  return { ids: row.ids?.split(',') ?? [], has_all: Number(row.compared) <= INCOMPLETE_MAX };
}
