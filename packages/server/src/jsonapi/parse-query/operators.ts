import type { FieldType } from '@florin/contract/resources/define-resource.ts';
import { orderOperators } from './query.ts';

const equality = ['eq', 'ne', 'in', 'null'] as const;

/** Operators in the last brackets of a filter. */
export const operators = [...equality, 'like', ...orderOperators] as const;
export type Operator = (typeof operators)[number];

const ORDERED: ReadonlySet<FieldType> = new Set(['integer', 'timestamp', 'date']);
const SEARCHED: ReadonlySet<FieldType> = new Set(['string', 'email', 'phone', 'url']);

/** Operators of a filter on a field of this type. */
export const operatorsOf = (type: FieldType): readonly Operator[] => [
  ...equality,
  ...(ORDERED.has(type) ? orderOperators : []),
  ...(SEARCHED.has(type) ? (['like'] as const) : []),
];
