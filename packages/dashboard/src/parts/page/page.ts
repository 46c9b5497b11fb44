import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import type { CurrentScope } from '../../api/scope.ts';
import type { Namespace } from '../../i18n/texts.ts';

/** People who may open a page, and the base of its path. */
type Audience =
  /** Everyone, at `/dashboard/<path>`. */
  | 'public'
  /** Signed-in people, at `/dashboard/<path>`. */
  | 'account'
  /** Operators, at `/dashboard/<path>`, which begins with `operator`. */
  | 'operator'
  /** Members of a merchant, at `/dashboard/<merchant>/<mode>/<path>`. */
  | 'merchant';

/** Definition of a page, whose code is loaded on navigation. */
export interface Page {
  /** Path such as `payments` or `payments/$id`; empty for the start page. */
  readonly path: string;
  /** People who may open the page. Default: `merchant`. */
  readonly audience?: Audience;
  /** Permission that the page needs: `transaction.payment_demands.read`. */
  readonly permission?: string;
  /** Whether an operator behind a router sees one cell of several here, so that the page names it. */
  readonly is_of_one_cell?: true;
  /** Whether the page has a part for the person; otherwise it leads to the first page of the menu. */
  readonly isAllowed?: (scope: CurrentScope) => boolean;
  /** Sets of texts that are loaded with the page. */
  readonly texts?: readonly Namespace[];
  /** Loads the page's component: `() => import('./payments.tsx').then(({ Payments }) => Payments)`. */
  readonly load: () => Promise<ComponentType>;
  /**
   * Prefetches the page's data while its code loads, if the person may open the page. `search` has the query parameters
   * of the address.
   */
  readonly ahead?: (
    queries: QueryClient,
    scope: CurrentScope,
    search: Readonly<Record<string, string>>,
  ) => void;
}

/** Declares a page, with type checks. */
export const definePage = (page: Page): Page => page;
