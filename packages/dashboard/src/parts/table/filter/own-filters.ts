import type { ReactNode } from 'react';
import type { Parameters } from '../../../api/queries.ts';

/** Filters that a page asks for in its own words, beside those that can be built for any field. */
export interface OwnFilters {
  readonly chips: ReactNode;
  /** Query parameters of the chips. The bar shows no pills for them. */
  readonly keys: ReadonlySet<string>;
  /** Number of chips that filter now. */
  readonly count: number;
}

/** Returns the changes of the address that remove the filters of all chips. */
export const withoutOwn = ({ keys }: OwnFilters): Parameters =>
  Object.fromEntries([...keys].map((key) => [key, '']));
