import { containsPattern } from '../../platform/database/like.ts';
import { indexedPrefix, isLong, PREFIX_CHARACTERS } from '../long-text.ts';
import type { FieldModel, RelationModel } from '../model.ts';
import type { Comparison, Filter } from '../parse-query/query.ts';
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
  const negation = isEnd && filter.operator === 'absent' ? 'not ' : '';
  return `${negation}exists (select 1 from ${hop.target.table} ${nextAlias} where ${conditions.join(' and ')})`;
}

/** SQL condition that joins the row `to` to the row `from`. */
export function joinCondition(
  hop: RelationModel,
  fromAlias: string,
  toAlias: string,
  parameters: Parameters,
): string {
  if (hop.through) return pairCondition(hop.through, `${fromAlias}.id`, toAlias, parameters);
  return hop.many
    ? `${toAlias}.${hop.column} = ${fromAlias}.id`
    : `${toAlias}.id = ${fromAlias}.${hop.column}`;
}

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
  // Wider than the column, so that a number out of range matches nothing instead of failing.
  const cast = field.definition.type === 'integer' ? '::bigint' : '';
  switch (comparison.operator) {
    case 'eq':
      return [
        ...prefixCondition(field, column, comparison.values, parameters),
        equalCondition(column, cast, comparison.values, parameters),
      ].join(' and ');
    case 'ne':
      return unequalCondition(column, cast, comparison.values, parameters);
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

function unequalCondition(
  column: string,
  cast: string,
  values: readonly (string | null)[],
  parameters: Parameters,
): string {
  const texts = values.filter((value) => value !== null);
  if (texts.length === 0) return `${column} is not null`;
  const match = `${column} <> all(${parameters.bind(texts)}${cast && `${cast}[]`})`;
  return texts.length === values.length ? `(${match} or ${column} is null)` : match;
}
