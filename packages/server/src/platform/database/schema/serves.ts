import type { ActualIndex } from './actual.ts';
import type { IndexSchema } from './table-schema.ts';

/**
 * Whether an existing index can replace the wanted index: it begins with the merchant, has the same keys, and omits only
 * rows with null keys.
 */
export function servesAs(index: ActualIndex, requiredIndex: IndexSchema): boolean {
  const keys = withoutMode(index.keys);
  const hasSameStart = withoutMode([...requiredIndex.scope, ...requiredIndex.keys]).every(
    (key, at) => keys[at] === key,
  );
  return hasSameStart && coversAllRows(index, requiredIndex);
}

const withoutMode = (keys: readonly string[]): string[] =>
  keys.filter((key, at) => key !== 'mode' || at > 1);

const coversAllRows = ({ predicate }: ActualIndex, { nullable }: IndexSchema): boolean =>
  predicate === null || (nullable !== undefined && predicate === `(${nullable} IS NOT NULL)`);
