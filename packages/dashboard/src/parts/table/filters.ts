import type { Field, FieldType } from '@florin/contract/resources/define-resource.ts';
import type { Parameters } from '../../api/queries.ts';

/** How a filter compares; those of emptiness have no value. */
export type Operator = 'eq' | 'ne' | 'like' | 'gt' | 'gte' | 'lt' | 'lte' | 'empty' | 'not_empty';

/** One filter of a list, as people see it. */
export interface Filter {
  readonly name: string;
  readonly operator: Operator;
  readonly value: string;
}

const ORDERED: ReadonlySet<FieldType> = new Set(['integer', 'timestamp', 'date']);
const SEARCHED: ReadonlySet<FieldType> = new Set(['string', 'email', 'phone', 'url']);
const TIMES: ReadonlySet<FieldType> = new Set(['timestamp', 'date']);

/** The comparisons that a field takes, the likeliest first. */
export function operatorsOf({ type, values }: Field): readonly Operator[] {
  if (TIMES.has(type)) return ['gte', 'lt', 'empty', 'not_empty'];
  if (ORDERED.has(type)) return ['eq', 'gte', 'lte', 'gt', 'lt', 'empty', 'not_empty'];
  const searched = SEARCHED.has(type) && !values;
  return [...(searched ? (['like'] as const) : []), 'eq', 'ne', 'empty', 'not_empty'];
}

const KEY = /^filter\[(\w+)\](?:\[(\w+)\])?$/;
const OPERATORS: ReadonlySet<string> = new Set(['eq', 'ne', 'like', 'gt', 'gte', 'lt', 'lte']);

/** The filters among the parameters of an address that are of such a form as this application writes. */
export function readFilters(search: Parameters): readonly Filter[] {
  return Object.entries(search).flatMap(([key, text]): Filter[] => {
    const [, name, operator = 'eq'] = KEY.exec(key) ?? [];
    if (!name) return [];
    if (operator === 'null') {
      return [{ name, operator: text === 'true' ? 'empty' : 'not_empty', value: '' }];
    }
    if (!OPERATORS.has(operator)) return [];
    return [{ name, operator: operator as Operator, value: unescaped(text) }];
  });
}

/** The parameter of the interface under which a filter goes. */
export function keyOfFilter({ name, operator }: Pick<Filter, 'name' | 'operator'>): string {
  if (operator === 'eq') return `filter[${name}]`;
  const written = operator === 'empty' || operator === 'not_empty' ? 'null' : operator;
  return `filter[${name}][${written}]`;
}

/** The parameter that adds a filter to an address. */
export function writeFilter(filter: Filter): Parameters {
  const { operator, value } = filter;
  const text = operator === 'empty' ? 'true' : operator === 'not_empty' ? 'false' : escaped(value);
  return { [keyOfFilter(filter)]: text };
}

/** Without parameters that filter; emptied, which takes them out of the address. */
export const withoutFilters = (search: Parameters): Parameters =>
  Object.fromEntries(
    Object.keys(search)
      .filter((key) => KEY.test(key))
      .map((key) => [key, '']),
  );

/** The interface reads a comma as the end of a value. */
const escaped = (text: string): string => text.replace(/[\\,]/g, '\\$&');
const unescaped = (text: string): string => text.replace(/\\([\\,])/g, '$1');

/** What of an address the interface is asked: filters and the order. */
export const listParameters = (search: Parameters): Parameters =>
  Object.fromEntries(
    Object.entries(search).filter(([key]) => key === 'sort' || key.startsWith('filter[')),
  );
