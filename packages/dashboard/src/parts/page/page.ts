import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import type { Scope } from '../../api/types.ts';
import type { Namespace } from '../../i18n/texts.ts';

/** Who may open a page, and below which address it is. */
type Audience =
  /** Anybody, at `/dashboard/<path>`. */
  | 'public'
  /** Whoever is signed in, at `/dashboard/<path>`. */
  | 'account'
  /** Operators, at `/dashboard/<path>`, which begins with `operator`. */
  | 'operator'
  /** Members of a merchant, at `/dashboard/<merchant>/<mode>/<path>`. */
  | 'merchant';

/** A page of the application as data; its code is loaded when somebody goes there. */
export interface Page {
  /** `payments`, `payments/$id`; empty for the start page. */
  readonly path: string;
  /** Default `merchant`. */
  readonly audience?: Audience;
  /** The permission without which there is nothing to see: `transaction.payment_demands.read`. */
  readonly permission?: string;
  /** Texts that are loaded together with the page. */
  readonly texts?: readonly Namespace[];
  /** `() => import('./payments.tsx').then(({ Payments }) => Payments)` */
  readonly load: () => Promise<ComponentType>;
  /** Asks for what the page will want, while its code is on its way; `search` is that of the address. */
  readonly ahead?: (
    queries: QueryClient,
    scope: Scope,
    search: Readonly<Record<string, string>>,
  ) => void;
}

/** Declares a page, so that its literal is checked where it stands. */
export const definePage = (page: Page): Page => page;
