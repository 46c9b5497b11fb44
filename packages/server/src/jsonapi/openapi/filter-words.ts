import type { Field } from '@florin/contract/resources/define-resource.ts';
import { FILTER_VALUES_MAX, LIKE_LENGTH_MAX, QUERY_TEXT_MAX } from '../parse-query/limits.ts';
import type { Operator } from '../parse-query/operators.ts';
import type { Schema } from './schema.ts';

const textByOperator: Readonly<Record<Operator, string>> = {
  eq: 'is one of these',
  in: 'is one of these',
  ne: 'is none of these',
  null: 'is not set, or with `false` is set',
  like: 'has this text in it, in capitals or not',
  gt: 'is greater or later than this',
  gte: 'is this, or greater or later',
  lt: 'is less or earlier than this',
  lte: 'is this, or less or earlier',
};

/** Describes a filter operator. */
export const describeOperator = (path: string, operator: Operator): string =>
  `Records whose ${path} ${textByOperator[operator]}.`;

/** Schema of a filter's value. Several values form a comma list, in which `\,` is a literal comma. */
export function valueSchema(field: Field, operator: Operator): Schema {
  if (operator === 'null') return { type: 'boolean' };
  if (operator === 'like') return { type: 'string', maxLength: LIKE_LENGTH_MAX };
  if (operator !== 'eq' && operator !== 'ne') return singleText(field);
  if (field.type === 'boolean') return { type: 'boolean' };
  return { type: 'array', items: itemText(field), maxItems: FILTER_VALUES_MAX };
}

const singleText = ({ type, max = QUERY_TEXT_MAX }: Field): Schema =>
  type === 'integer'
    ? {
        type,
        format: 'int64',
        minimum: Number.MIN_SAFE_INTEGER,
        maximum: Number.MAX_SAFE_INTEGER,
      }
    : { type: 'string', maxLength: max };

/** Schema of one value in a list. Accepts `null` for unset values. */
const itemText = (field: Field): Schema =>
  field.type === 'enum'
    ? { type: 'string', enum: [...(field.values ?? []), 'null'] }
    : singleText(field);
