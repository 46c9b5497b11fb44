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
export interface Page<P extends string = string> {
  /** `payments`, `payments/$id`; empty for the start page. */
  readonly path: P;
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

/** Declares a page and keeps the parameters of its path. */
export const definePage = <const P extends string>(page: Page<P>): Page<P> => page;

type ParameterOf<P extends string> = P extends `${string}$${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | ParameterOf<More>
    : Rest
  : never;

export type PathParameters<P extends string> = Readonly<Record<ParameterOf<P>, string>>;

/** The path of a page, for `ScopedLink` and `useGo`: `pathOf(paymentPage, { id })`. */
export const pathOf = <P extends string>(
  { path }: Page<P>,
  parameters: PathParameters<P>,
): string =>
  path.replace(/\$(\w+)/g, (_whole, name: string) =>
    encodeURIComponent((parameters as Readonly<Record<string, string>>)[name] ?? ''),
  );
