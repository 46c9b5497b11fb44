import type { Field, FieldType, Resource } from '@florin/contract/resources/define-resource.ts';
import type { Parameters } from '../../../api/queries.ts';
import { currencyNameOf, isAmount } from '../../value/currency-of.ts';
import { isQueryable } from './queryable.ts';

const operatorsTaking = {
  one: ['like', 'gt', 'gte', 'lt', 'lte'],
  several: ['eq', 'ne', 'in'],
  none: ['empty', 'not_empty'],
} as const;

/** Filter operators. The operators for empty values take no value. */
export type Operator = (typeof operatorsTaking)['one' | 'several' | 'none'][number];

/** One filter of a list. */
export interface Filter {
  readonly name: string;
  readonly operator: Operator;
  /** Values as in the interface: amounts in minor units. Only operators for several values have more than one. */
  readonly values: readonly string[];
}

const includes = (operators: readonly Operator[], operator: string): operator is Operator =>
  operators.some((it) => it === operator);

export const takesNone = (operator: Operator): boolean => includes(operatorsTaking.none, operator);

const ORDERED: ReadonlySet<FieldType> = new Set(['integer', 'timestamp', 'date']);
const SEARCHED: ReadonlySet<FieldType> = new Set(['string', 'email', 'phone', 'url']);
const TIMES: ReadonlySet<FieldType> = new Set(['timestamp', 'date']);
const CODES: ReadonlySet<FieldType> = new Set(['country', 'currency', 'timezone']);

/** Operators of a field, most used first. */
export function operatorsOf({ type, values }: Field): readonly Operator[] {
  if (TIMES.has(type)) return ['gte', 'lt', 'empty', 'not_empty'];
  if (ORDERED.has(type)) return ['eq', 'gte', 'lte', 'gt', 'lt', 'empty', 'not_empty'];
  if (values || CODES.has(type)) return ['in', 'ne', 'empty', 'not_empty'];
  return [...(SEARCHED.has(type) ? (['like'] as const) : []), 'eq', 'ne', 'empty', 'not_empty'];
}

const KEY = /^filter\[(\w+)\](?:\[(\w+)\])?$/;

/** Returns the filters of an address. Parameters that this application never writes are skipped. */
export function readFilters(search: Parameters): readonly Filter[] {
  return Object.entries(search).flatMap(([key, text]): Filter[] => {
    const [, name, operator = 'eq'] = KEY.exec(key) ?? [];
    if (!name) return [];
    if (operator === 'null') {
      return [{ name, operator: text === 'true' ? 'empty' : 'not_empty', values: [] }];
    }
    if (includes(operatorsTaking.several, operator))
      return [{ name, operator, values: split(text) }];
    return includes(operatorsTaking.one, operator)
      ? [{ name, operator, values: [unescapeText(text)] }]
      : [];
  });
}

/** Returns the query parameter of a filter. */
export function keyOfFilter({ name, operator }: Pick<Filter, 'name' | 'operator'>): string {
  if (operator === 'eq') return `filter[${name}]`;
  return `filter[${name}][${takesNone(operator) ? 'null' : operator}]`;
}

/** Returns the query parameter of a filter. A list operator with a single value is written as equality. */
export function writeFilter(filter: Filter): Parameters {
  const { name, values } = filter;
  const operator = filter.operator === 'in' && values.length === 1 ? 'eq' : filter.operator;
  const text = takesNone(operator)
    ? String(operator === 'empty')
    : values.map(escapeText).join(SEPARATOR);
  return { [keyOfFilter({ name, operator })]: text };
}

/** Returns all filter parameters with empty values, which removes them from the address. */
export const withoutFilters = (search: Parameters): Parameters =>
  Object.fromEntries(
    Object.keys(search)
      .filter((key) => KEY.test(key))
      .map((key) => [key, '']),
  );

type Fields = Resource['fields'];

/** Returns the field that filters an amount's currency; undefined for other fields. */
export function currencyFieldOf(name: string, fields: Fields): string | undefined {
  if (!isAmount(name)) return undefined;
  return currencyNameOf(name, (it) => fields[it] !== undefined && isQueryable(fields[it]));
}

/** Returns the currency that the filters allow, if they allow exactly one. */
export function currencyAmong(search: Parameters, name: string | undefined): string | undefined {
  const values = name ? split(search[`filter[${name}]`] ?? '') : [];
  return values.length === 1 ? values[0] : undefined;
}

/** Removes a filter. Removing a currency also removes its amount filters, which depend on the currency. */
export function withoutFilter(filter: Filter, search: Parameters, fields: Fields): Parameters {
  const amounts = readFilters(search).filter(
    ({ name }) => currencyFieldOf(name, fields) === filter.name,
  );
  return Object.fromEntries([filter, ...amounts].map((it) => [keyOfFilter(it), '']));
}

/** Adds an amount filter with its currency. Removes amount filters in another currency. */
export function withAmount(
  filter: Filter,
  currency: string,
  { search, fields }: { readonly search: Parameters; readonly fields: Fields },
): Parameters {
  const name = currencyFieldOf(filter.name, fields);
  if (!name) return writeFilter(filter);
  const currencyFilter: Filter = { name, operator: 'eq', values: [currency] };
  const isOther = currencyAmong(search, name) !== currency;
  return {
    ...(isOther && withoutFilter(currencyFilter, search, fields)),
    ...writeFilter(currencyFilter),
    ...writeFilter(filter),
  };
}

/** Separator of values in the interface. */
const SEPARATOR = ',';
const escapeText = (text: string): string => text.replace(/[\\,]/g, '\\$&');
const unescapeText = (text: string): string => text.replace(/\\([\\,])/g, '$1');
const split = (text: string): string[] =>
  (text.match(/(?:\\[\s\S]|[^\\,])+/g) ?? []).map(unescapeText);

/** Filter and sort parameters of an address. */
export const listParameters = (search: Parameters): Parameters =>
  Object.fromEntries(
    Object.entries(search).filter(([key]) => key === 'sort' || key.startsWith('filter[')),
  );
