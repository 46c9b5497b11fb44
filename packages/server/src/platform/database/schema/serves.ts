import type { ActualIndex } from './actual.ts';
import type { IndexSchema } from './table-schema.ts';

/**
 * Whether an existing index can replace the wanted index: it begins with the merchant, has the same keys, and omits only
 * rows with null keys. Columns of few values may precede the keys where the wanted index allows it.
 */
export function servesAs(index: ActualIndex, requiredIndex: IndexSchema): boolean {
  const keys = withoutMode(index.keys);
  const scope = withoutMode(requiredIndex.scope);
  const ownKeys = keys.slice(scope.length);
  const start = ownKeys.indexOf(requiredIndex.keys[0] as string);
  return (
    start >= 0 &&
    startsWith(keys, scope) &&
    ownKeys.slice(0, start).every((key) => requiredIndex.may_follow.includes(key)) &&
    startsWith(ownKeys.slice(start), requiredIndex.keys) &&
    coversAllRows(index, requiredIndex)
  );
}

const startsWith = (keys: readonly string[], wantedKeys: readonly string[]): boolean =>
  wantedKeys.every((key, at) => keys[at] === key);

const withoutMode = (keys: readonly string[]): string[] =>
  keys.filter((key, at) => key !== 'mode' || at > 1);

const coversAllRows = ({ predicate }: ActualIndex, { nullable }: IndexSchema): boolean =>
  predicate === null || (nullable !== undefined && predicate === `(${nullable} IS NOT NULL)`);
