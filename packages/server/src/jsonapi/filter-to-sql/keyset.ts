import type { Parameters } from './parameters.ts';

/** A sort key with its SQL expression. NULL sorts as the largest value, as in PostgreSQL. */
export interface OrderKey {
  readonly expression: string;
  readonly descending: boolean;
  readonly never_null: boolean;
}

/** Sort keys for the reverse order. */
export const reverseKeys = (keys: readonly OrderKey[]): OrderKey[] =>
  keys.map((key) => ({ ...key, descending: !key.descending }));

/** ORDER BY list of the keys. */
export const orderBy = (keys: readonly OrderKey[]): string =>
  keys.map(({ expression, descending }) => `${expression}${descending ? ' desc' : ''}`).join(', ');

/** SQL condition: rows that sort after a row with these key values. */
export function afterCondition(
  keys: readonly OrderKey[],
  values: readonly (string | null)[],
  parameters: Parameters,
): string {
  if (isUniform(keys)) return rowComparison(keys, values, parameters);
  const placeholders = values.map((value) => (value === null ? undefined : parameters.bind(value)));
  const alternatives = keys.map((key, index) => {
    const equalities = keys
      .slice(0, index)
      .map((earlierKey, earlierIndex) => equalityOf(earlierKey, placeholders[earlierIndex]));
    return [...equalities, conditionBeyond(key, placeholders[index])].join(' and ');
  });
  return [...leadingBound(keys[0], placeholders[0]), `((${alternatives.join(') or (')}))`].join(
    ' and ',
  );
}

/** Keys with one direction and without NULL can be compared as one SQL row, which an index supports. */
const isUniform = (keys: readonly OrderKey[]): boolean =>
  keys.every(({ never_null, descending }) => never_null && descending === keys[0]?.descending);

function rowComparison(
  keys: readonly OrderKey[],
  values: readonly (string | null)[],
  parameters: Parameters,
): string {
  const columns = keys.map(({ expression }) => expression).join(', ');
  const placeholders = keys.map((_, index) => parameters.bind(values[index])).join(', ');
  return `(${columns}) ${keys[0]?.descending ? '<' : '>'} (${placeholders})`;
}

function conditionBeyond(
  { expression, descending, never_null }: OrderKey,
  value: string | undefined,
): string {
  if (value === undefined) return descending ? `${expression} is not null` : 'false';
  if (descending) return `${expression} < ${value}`;
  return never_null
    ? `${expression} > ${value}`
    : `(${expression} > ${value} or ${expression} is null)`;
}

const equalityOf = ({ expression }: OrderKey, value: string | undefined): string =>
  value === undefined ? `${expression} is null` : `${expression} = ${value}`;

/** Redundant condition on the first key, which lets an index scan start at the position. */
function leadingBound(key: OrderKey | undefined, value: string | undefined): string[] {
  if (!key || value === undefined || (!key.descending && !key.never_null)) return [];
  return [`${key.expression} ${key.descending ? '<=' : '>='} ${value}`];
}
