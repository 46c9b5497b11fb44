import type { ActualIndex } from './actual.ts';
import type { IndexSchema } from './table-schema.ts';

/**
 * Whether an index does what another one is wanted for: it begins with the merchant, with or without the
 * mode, goes on with the same keys, and leaves out no rows but those that hold nothing.
 */
export function servesAs(index: ActualIndex, wanted: IndexSchema): boolean {
  const keys = withoutMode(index.keys);
  const begins = withoutMode([...wanted.scope, ...wanted.keys]).every(
    (key, at) => keys[at] === key,
  );
  return begins && isWhole(index, wanted);
}

const withoutMode = (keys: readonly string[]): string[] =>
  keys.filter((key, at) => key !== 'mode' || at > 1);

const isWhole = ({ predicate }: ActualIndex, { nullable }: IndexSchema): boolean =>
  predicate === null || (nullable !== undefined && predicate === `(${nullable} IS NOT NULL)`);
