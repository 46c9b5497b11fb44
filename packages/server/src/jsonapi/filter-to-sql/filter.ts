import { containsPattern } from '../../platform/database/like.ts';
import { indexedPrefix, isLong, PREFIX_CHARACTERS } from '../long-text.ts';
import type { FieldModel, RelationModel } from '../model.ts';
import type { Comparison, Filter } from '../parse-query/query.ts';
import { isCoarse } from '../schema/indexes.ts';
import type { Parameters } from './parameters.ts';

/** SQL condition of one filter on the row `alias`. A semi-join per hop avoids duplicate rows. */
export function filterCondition(filter: Filter, alias: string, parameters: Parameters): string {
  return conditionOverHops(filter.hops, filter, alias, parameters);
}

function conditionOverHops(
  hops: readonly RelationModel[],
  filter: Filter,
  alias: string,
  parameters: Parameters,
): string {
  const [hop, ...remainingHops] = hops;
  if (!hop) return leafCondition(filter.field, filter, alias, parameters);
  const nextAlias = parameters.nextAlias();
  const isEnd =
    remainingHops.length === 0 && (filter.operator === 'absent' || filter.operator === 'present');
  const conditions = [
    ...parameters.tenantConditions(hop.target, nextAlias),
    joinCondition(hop, alias, nextAlias, parameters),
    ...(isEnd ? [] : [conditionOverHops(remainingHops, filter, nextAlias, parameters)]),
  ];
  const isNegated = isEnd && filter.operator === 'absent';
  const prefix = isNegated ? 'not ' : presenceOf(hop, alias);
  return `${prefix}exists (select 1 from ${hop.target.table} ${nextAlias} where ${conditions.join(' and ')})`;
}

/** SQL: the foreign key is set. Without it, PostgreSQL expects related rows where most records have none. */
function presenceOf(hop: RelationModel, alias: string): string {
  const condition = presenceCondition(hop, alias);
  return condition ? `${condition} and ` : '';
}

/** SQL condition that the foreign key of a to-one relationship is set; undefined for other relationships. */
const presenceCondition = (hop: RelationModel, alias: string): string | undefined =>
  hop.many || hop.through || isOwnMerchant(hop) ? undefined : `${alias}.${hop.column} is not null`;

/** Conditions that an index finds, of a filter whose own condition none does. */
export function foundBefore({ hops: [hop] }: Filter, alias: string): string[] {
  const condition = hop && presenceCondition(hop, alias);
  return condition ? [condition] : [];
}

/** SQL condition that joins the row `to` to the row `from`. */
export function joinCondition(
  hop: RelationModel,
  fromAlias: string,
  toAlias: string,
  parameters: Parameters,
): string {
  if (hop.through) return pairCondition(hop.through, `${fromAlias}.id`, toAlias, parameters);
  // Reads one merchant before all of its rows. With the row's column, PostgreSQL compares row by row.
  if (isOwnMerchant(hop)) return `${toAlias}.id = ${parameters.merchant()}`;
  return hop.many
    ? `${toAlias}.${hop.column} = ${fromAlias}.id`
    : `${toAlias}.id = ${fromAlias}.${hop.column}`;
}

/** Whether a relationship leads to the merchant whose rows are read. */
const isOwnMerchant = ({ many, column, target }: RelationModel): boolean =>
  !many && column === 'merchant_id' && target.tenant_column === 'id';

/** SQL condition: a row of the join table in the caller's scope links the id to the row `to`. */
export function pairCondition(
  { table, from: fromColumn, to: toColumn }: NonNullable<RelationModel['through']>,
  id: string,
  toAlias: string,
  parameters: Parameters,
): string {
  const pairAlias = parameters.nextAlias();
  const ends = `${pairAlias}.${fromColumn} = ${id} and ${pairAlias}.${toColumn} = ${toAlias}.id`;
  return `exists (select 1 from ${table} ${pairAlias} where ${pairAlias}.merchant_id = ${parameters.merchant()} and ${ends})`;
}

function leafCondition(
  field: FieldModel,
  comparison: Comparison,
  alias: string,
  parameters: Parameters,
): string {
  const column = `${alias}.${field.column}`;
  const cast = castOf(field);
  switch (comparison.operator) {
    case 'eq':
      return [
        ...prefixCondition(field, column, comparison.values, parameters),
        equalCondition(column, cast, comparison.values, parameters),
      ].join(' and ');
    case 'ne':
      return unequalCondition(field, column, comparison.values, parameters);
    case 'like':
      return `${column} ilike ${parameters.bind(containsPattern(comparison.value))}`;
    case 'absent':
    case 'present':
      throw new Error(`${comparison.operator} needs a relationship at the end of the path`);
    default:
      return `${column} ${sqlOperators[comparison.operator]} ${parameters.bind(comparison.value)}${cast}`;
  }
}

/** Condition on the prefix of a long text. The index holds only prefixes and so can find candidates. */
function prefixCondition(
  field: FieldModel,
  column: string,
  values: readonly (string | null)[],
  parameters: Parameters,
): string[] {
  const texts = values.filter((value) => value !== null);
  if (!isLong(field) || texts.length < values.length) return [];
  return [
    `left(${column}, ${PREFIX_CHARACTERS}) = any(${parameters.bind(texts.map(indexedPrefix))})`,
  ];
}

const sqlOperators = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

function equalCondition(
  column: string,
  cast: string,
  values: readonly (string | null)[],
  parameters: Parameters,
): string {
  const texts = values.filter((value) => value !== null);
  if (texts.length === 0) return `${column} is null`;
  const [singleText] = texts;
  const match =
    texts.length === 1
      ? `${column} = ${parameters.bind(singleText)}${cast}`
      : `${column} = any(${parameters.bind(texts)}${cast && `${cast}[]`})`;
  return texts.length === values.length ? match : `(${match} or ${column} is null)`;
}

/** Values of a `ne` filter that become ranges. Beyond, planning would cost more than reading. */
const RANGES_MAX = 8;

/** Ranges below and above a value in place of `<>`, which no index serves. */
function unequalCondition(
  field: FieldModel,
  column: string,
  values: readonly (string | null)[],
  parameters: Parameters,
): string {
  const texts = values.filter((value) => value !== null);
  if (texts.length === 0) return `${column} is not null`;
  const match = differsFrom(field, column, texts, parameters);
  return texts.length === values.length && !field.never_null
    ? `((${match}) or ${column} is null)`
    : `(${match})`;
}

function differsFrom(
  field: FieldModel,
  column: string,
  texts: readonly string[],
  parameters: Parameters,
): string {
  const cast = castOf(field);
  if (texts.length > RANGES_MAX || isLong(field))
    return `${column} <> all(${parameters.bind(texts)}${cast && `${cast}[]`})`;
  return texts
    .map((value) => {
      const bound = `${parameters.bind(value)}${cast}`;
      return texts.length > 1
        ? `(${column} < ${bound} or ${column} > ${bound})`
        : `${column} < ${bound} or ${column} > ${bound}`;
    })
    .join(' and ');
}

/** Wider than the column, so that a number out of range matches nothing instead of failing. */
const castOf = ({ definition }: FieldModel): string =>
  definition.type === 'integer' ? '::bigint' : '';

/**
 * Whether no index finds the records of a filter, so that PostgreSQL reads all that the other filters leave. Indexes lack
 * parts of texts, missing values, and all values but some of related records. Columns of a handful of values have all.
 */
export function isSearch({ hops, field, ...comparison }: Filter): boolean {
  // The merchant is the same for all rows.
  if (hops.length === 1 && hops.every(isOwnMerchant)) return false;
  switch (comparison.operator) {
    case 'like':
      return true;
    case 'eq':
      return comparison.values.includes(null) && !isIndexedWithNull(field);
    case 'ne':
      return hops.length > 0 || !findsDifferent(field, comparison.values);
    default:
      return false;
  }
}

/** Whether an index has the records without a value of the field, or all records have one. */
const isIndexedWithNull = (field: FieldModel): boolean => field.never_null || isCoarse(field);

function findsDifferent(field: FieldModel, values: readonly (string | null)[]): boolean {
  const texts = values.filter((value) => value !== null);
  if (texts.length === 0) return true;
  const hasRanges = texts.length <= RANGES_MAX && !isLong(field);
  return hasRanges && (texts.length < values.length || isIndexedWithNull(field));
}
