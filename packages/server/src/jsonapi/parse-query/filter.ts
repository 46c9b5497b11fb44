import { problem } from '@florin/contract/errors.ts';
import { idField, type Model } from '../model.ts';
import { unknownName } from '../unknown-name.ts';
import { codePoints } from '../values/text.ts';
import { coerceFilterValue, expectedForm, splitFilterValue } from './filter-value.ts';
import { FILTER_VALUES_MAX, FILTERS_MAX, LIKE_LENGTH_MAX, PATH_STEPS_MAX } from './limits.ts';
import { type Operator, operators, operatorsOf } from './operators.ts';
import { type Parameter, withoutIndex } from './parameters.ts';
import {
  foreignKeyField,
  queryableField,
  queryableNames,
  resolvePath,
  type UnresolvedName,
} from './path.ts';
import type { Comparison, Filter, Path } from './query.ts';

/**
 * A `filter[…]` with its repetitions merged: clients may send the list `filter[id]=a,b` as
 * `filter[id]=a&filter[id]=b`.
 */
interface RawFilter {
  /** Name of the parameter in the request. */
  readonly parameter: string;
  readonly segments: readonly string[];
  readonly operator: Operator;
  readonly texts: string[];
}

const isOperator = (text: string | undefined): text is Operator =>
  operators.some((operator) => operator === text);

/** Parses all filters of a query and drops blank ones. A row must match every filter. */
export function parseFilters(
  model: Model,
  parameters: readonly Parameter[],
  touchedModels: Set<Model>,
): readonly Filter[] {
  const rawFilters = gatherFilters(model, parameters);
  if (rawFilters.length > FILTERS_MAX) throw tooMany('filter', 'filters in a query', FILTERS_MAX);
  const filters = rawFilters
    .map((raw) => parseFilter(model, raw))
    .filter((filter) => filter !== undefined);
  for (const { hops } of filters) for (const hop of hops) touchedModels.add(hop.target);
  return filters;
}

function gatherFilters(model: Model, parameters: readonly Parameter[]): RawFilter[] {
  const filtersByKey = new Map<string, RawFilter>();
  for (const parameter of parameters) {
    if (parameter.brackets.length === 0 && parameter.value === '') continue;
    const raw = toRawFilter(model, parameter);
    const key = `${raw.segments.join('.')} ${raw.operator}`;
    const earlierFilter = filtersByKey.get(key);
    if (!earlierFilter) filtersByKey.set(key, raw);
    else earlierFilter.texts.push(...raw.texts);
  }
  return [...filtersByKey.values()];
}

function toRawFilter(model: Model, { name, brackets: sentBrackets, value }: Parameter): RawFilter {
  const { brackets } = withoutIndex(sentBrackets);
  const lastBracket = brackets.at(-1);
  const operator = brackets.length > 1 && isOperator(lastBracket) ? lastBracket : undefined;
  const path = operator ? brackets.slice(0, -1) : brackets;
  if (path.length === 0) throw unknownNameProblem(name, model, '');
  const segments = path.join('.').split('.');
  return { parameter: name, segments, operator: operator ?? 'eq', texts: [value] };
}

function parseFilter(model: Model, raw: RawFilter): Filter | undefined {
  if (raw.segments.length - 1 > PATH_STEPS_MAX) {
    throw tooMany(raw.parameter, 'relationships in a filter', PATH_STEPS_MAX);
  }
  const values = raw.texts.flatMap((text) => split(raw, text));
  if (values.length > FILTER_VALUES_MAX) throw tooMany(raw.parameter, 'values', FILTER_VALUES_MAX);
  const { path, operator, many } = targetOf(model, raw);
  if (values.length === 0) return undefined;
  if (many && isEmptinessTest(operator, values)) {
    return { ...path, operator: selectsEmpty(raw, operator, values) ? 'absent' : 'present' };
  }
  return { ...path, ...toComparison(raw, path, operator, values) };
}

function split(raw: RawFilter, text: string): string[] {
  const values = splitFilterValue(text);
  if (values) return values;
  throw problem('invalid_value', 'A backslash at the end of a value must be written twice.', {
    parameter: raw.parameter,
  });
}

function checkSearchText({ parameter }: RawFilter, text: string): string {
  if (codePoints(text) <= LIKE_LENGTH_MAX) return text;
  throw tooMany(parameter, 'characters in a search text', LIKE_LENGTH_MAX);
}

/**
 * Resolves the path of a filter. A suffix such as `created_at_gte` is the operator, unless a field has that
 * name.
 */
function targetOf(
  model: Model,
  rawFilter: RawFilter,
): { path: Path; operator: Operator; many: boolean } {
  const resolvedPath = resolvePath(model, rawFilter.segments);
  if ('field' in resolvedPath)
    return { path: resolvedPath, operator: rawFilter.operator, many: false };
  if ('relation' in resolvedPath) {
    const { hops, relation } = resolvedPath;
    const needsHop = relation.many || relation.guarded;
    const path = needsHop
      ? { hops: [...hops, relation], field: idField }
      : { hops, field: foreignKeyField(relation) };
    return { path, operator: rawFilter.operator, many: needsHop };
  }
  const [, baseName, suffix] = /^(.+)_(gte|gt|lte|lt)$/.exec(rawFilter.segments.at(-1) ?? '') ?? [];
  const path = baseName
    ? resolvePath(model, [...rawFilter.segments.slice(0, -1), baseName])
    : undefined;
  if (rawFilter.operator === 'eq' && isOperator(suffix) && path && 'field' in path) {
    return { path, operator: suffix, many: false };
  }
  requireOperator(rawFilter, resolvedPath);
  throw unknownNameProblem(rawFilter.parameter, resolvedPath.model, resolvedPath.name);
}

/** Throws if the unresolved name is a field, so that the text after it was meant as an operator. */
function requireOperator(
  { parameter, segments }: RawFilter,
  { model, name }: UnresolvedName,
): void {
  const field = queryableField(model, name);
  const text = segments[segments.lastIndexOf(name) + 1];
  if (!field || text === undefined) return;
  const detail = unknownName(name, 'operator', text, operatorsOf(field.definition.type));
  throw problem('invalid_filter', detail, { parameter });
}

const isNull = (text: string): boolean => text === 'null' || text === 'NULL';

const isEmptinessTest = (operator: Operator, values: readonly string[]): boolean =>
  operator === 'null' || (values.length === 1 && values.every(isNull) && operator !== 'like');

/** Whether a filter on a to-many relationship selects records without related ones. */
function selectsEmpty(raw: RawFilter, operator: Operator, values: readonly string[]): boolean {
  return operator === 'null'
    ? singleValue(raw, values, /^(true|false)$/, 'true or false') === 'true'
    : operator !== 'ne';
}

function toComparison(
  raw: RawFilter,
  path: Path,
  operator: Operator,
  values: readonly string[],
): Comparison {
  requireFit(raw, path, operator);
  switch (operator) {
    case 'null':
      return { operator: selectsEmpty(raw, operator, values) ? 'eq' : 'ne', values: [null] };
    case 'like':
      return {
        operator,
        value: checkSearchText(raw, singleValue(raw, values, /^[^\0]*$/, 'text')),
      };
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return { operator, value: coerceText(raw, path, singleValue(raw, values)) };
    default:
      return {
        operator: operator === 'ne' ? 'ne' : 'eq',
        values: values.map((text) => (isNull(text) ? null : coerceText(raw, path, text))),
      };
  }
}

function singleValue(
  raw: RawFilter,
  values: readonly string[],
  pattern = /(?:)/,
  expected = 'one value',
): string {
  const [value] = values;
  if (values.length === 1 && value !== undefined && pattern.test(value)) return value;
  throw problem('invalid_value', `${raw.parameter} accepts ${expected}.`, {
    parameter: raw.parameter,
  });
}

function coerceText(raw: RawFilter, { field }: Path, text: string): string {
  const value = coerceFilterValue(field, text);
  if (value !== undefined) return value;
  throw problem('invalid_value', `A value of ${field.name} must be ${expectedForm(field)}.`, {
    parameter: raw.parameter,
  });
}

function requireFit(raw: RawFilter, { field }: Path, operator: Operator): void {
  const knownOperators = operatorsOf(field.definition.type);
  if (knownOperators.includes(operator)) return;
  const detail = `${field.name} has no operator ${operator}. Accepted: ${knownOperators.join(', ')}.`;
  throw problem('invalid_filter', detail, { parameter: raw.parameter });
}

const unknownNameProblem = (parameter: string, model: Model, name: string) =>
  problem('invalid_filter', unknownName(model.type, 'filter', name, queryableNames(model)), {
    parameter,
  });

const tooMany = (parameter: string, items: string, limit: number) =>
  problem(
    'query_too_costly',
    `A query can have at most ${limit} ${items}.`,
    { parameter },
    { meta: { limit } },
  );
