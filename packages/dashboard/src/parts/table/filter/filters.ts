import type { Field, FieldType, Resource } from '@florin/contract/resources/define-resource.ts';
import type { Parameters } from '../../../api/queries.ts';
import { currencyNameOf, isAmount } from '../../value/currency-of.ts';
import { isQueryable } from './queryable.ts';

const taking = {
  one: ['like', 'gt', 'gte', 'lt', 'lte'],
  several: ['eq', 'ne', 'in'],
  none: ['empty', 'not_empty'],
} as const;

/** How a filter compares; those of emptiness have no value. */
export type Operator = (typeof taking)['one' | 'several' | 'none'][number];

/** One filter of a list, as people see it. */
export interface Filter {
  readonly name: string;
  readonly operator: Operator;
  /** As the interface takes them: amounts in minor units. One is enough where there are several. */
  readonly values: readonly string[];
}

const includes = (operators: readonly Operator[], operator: string): operator is Operator =>
  operators.some((it) => it === operator);

export const takesNone = (operator: Operator): boolean => includes(taking.none, operator);

const ORDERED: ReadonlySet<FieldType> = new Set(['integer', 'timestamp', 'date']);
const SEARCHED: ReadonlySet<FieldType> = new Set(['string', 'email', 'phone', 'url']);
const TIMES: ReadonlySet<FieldType> = new Set(['timestamp', 'date']);
const CODES: ReadonlySet<FieldType> = new Set(['country', 'currency', 'timezone']);

/** The comparisons that a field takes, the likeliest first. */
export function operatorsOf({ type, values }: Field): readonly Operator[] {
  if (TIMES.has(type)) return ['gte', 'lt', 'empty', 'not_empty'];
  if (ORDERED.has(type)) return ['eq', 'gte', 'lte', 'gt', 'lt', 'empty', 'not_empty'];
  if (values || CODES.has(type)) return ['in', 'ne', 'empty', 'not_empty'];
  return [...(SEARCHED.has(type) ? (['like'] as const) : []), 'eq', 'ne', 'empty', 'not_empty'];
}

const KEY = /^filter\[(\w+)\](?:\[(\w+)\])?$/;

/** The filters among the parameters of an address that are of such a form as this application writes. */
export function readFilters(search: Parameters): readonly Filter[] {
  return Object.entries(search).flatMap(([key, text]): Filter[] => {
    const [, name, operator = 'eq'] = KEY.exec(key) ?? [];
    if (!name) return [];
    if (operator === 'null') {
      return [{ name, operator: text === 'true' ? 'empty' : 'not_empty', values: [] }];
    }
    if (includes(taking.several, operator)) return [{ name, operator, values: split(text) }];
    return includes(taking.one, operator) ? [{ name, operator, values: [unescaped(text)] }] : [];
  });
}

/** The parameter of the interface under which a filter goes. */
export function keyOfFilter({ name, operator }: Pick<Filter, 'name' | 'operator'>): string {
  if (operator === 'eq') return `filter[${name}]`;
  return `filter[${name}][${takesNone(operator) ? 'null' : operator}]`;
}

/** The parameter that adds a filter to an address: one of several is that one. */
export function writeFilter(filter: Filter): Parameters {
  const { name, values } = filter;
  const operator = filter.operator === 'in' && values.length === 1 ? 'eq' : filter.operator;
  const text = takesNone(operator)
    ? String(operator === 'empty')
    : values.map(escaped).join(SEPARATOR);
  return { [keyOfFilter({ name, operator })]: text };
}

/** Without parameters that filter; emptied, which takes them out of the address. */
export const withoutFilters = (search: Parameters): Parameters =>
  Object.fromEntries(
    Object.keys(search)
      .filter((key) => KEY.test(key))
      .map((key) => [key, '']),
  );

type Fields = Resource['fields'];

/** The field by which the currency of an amount can be filtered; undefined of what is no amount. */
export function currencyFieldOf(name: string, fields: Fields): string | undefined {
  if (!isAmount(name)) return undefined;
  return currencyNameOf(name, (it) => fields[it] !== undefined && isQueryable(fields[it]));
}

/** The one currency that the filters of a list leave, as far as they say so. */
export function currencyAmong(search: Parameters, name: string | undefined): string | undefined {
  const values = name ? split(search[`filter[${name}]`] ?? '') : [];
  return values.length === 1 ? values[0] : undefined;
}

/** Takes a filter off. Amounts go with the currency that they are in: without it they say nothing. */
export function withoutFilter(filter: Filter, search: Parameters, fields: Fields): Parameters {
  const amounts = readFilters(search).filter(
    ({ name }) => currencyFieldOf(name, fields) === filter.name,
  );
  return Object.fromEntries([filter, ...amounts].map((it) => [keyOfFilter(it), '']));
}

/** Adds a filter by an amount together with its currency; those of another one go. */
export function withAmount(
  filter: Filter,
  currency: string,
  { search, fields }: { readonly search: Parameters; readonly fields: Fields },
): Parameters {
  const name = currencyFieldOf(filter.name, fields);
  if (!name) return writeFilter(filter);
  const of: Filter = { name, operator: 'eq', values: [currency] };
  const isOther = currencyAmong(search, name) !== currency;
  return {
    ...(isOther && withoutFilter(of, search, fields)),
    ...writeFilter(of),
    ...writeFilter(filter),
  };
}

/** The interface reads a comma as the end of a value. */
const SEPARATOR = ',';
const escaped = (text: string): string => text.replace(/[\\,]/g, '\\$&');
const unescaped = (text: string): string => text.replace(/\\([\\,])/g, '$1');
const split = (text: string): string[] =>
  (text.match(/(?:\\[\s\S]|[^\\,])+/g) ?? []).map(unescaped);

/** What of an address the interface is asked: filters and the order. */
export const listParameters = (search: Parameters): Parameters =>
  Object.fromEntries(
    Object.entries(search).filter(([key]) => key === 'sort' || key.startsWith('filter[')),
  );
