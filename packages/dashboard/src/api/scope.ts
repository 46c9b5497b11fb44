import { createContext, use } from 'react';
import type { Membership } from './session.ts';
import type { Scope } from './types.ts';

/** Merchant and mode of the address, with the person's permissions in this scope. */
export interface CurrentScope extends Scope {
  readonly business_name: string;
  readonly permissions: Membership['permissions'];
  /** True for an operator who is not a member: may read everything and write nothing. */
  readonly is_visit: boolean;
  readonly standing: string | undefined;
  /** Whether a processor takes payments in this mode; true while unknown. */
  readonly takes_payments: boolean;
  /** Whether a processor takes payments in live mode; true while unknown. */
  readonly live_takes_payments: boolean;
}

export const ScopeContext = createContext<CurrentScope | undefined>(undefined);

/** Returns the merchant and mode of the page. Throws outside of merchant pages. */
export function useScope(): CurrentScope {
  const scope = use(ScopeContext);
  if (!scope) throw new Error('This page is not of a merchant.');
  return scope;
}

/** Returns the scope, or undefined on pages without a merchant. */
export const useMaybeScope = (): CurrentScope | undefined => use(ScopeContext);

/** Whether the scope includes the permission. True for undefined. */
export function holds(
  { permissions, is_visit }: Pick<CurrentScope, 'permissions' | 'is_visit'>,
  slug: string | undefined,
): boolean {
  if (slug === undefined) return true;
  if (is_visit) return slug.endsWith('.read');
  return permissions === 'all' || permissions.includes(slug);
}

/** Returns a check for permissions, so that pages offer only permitted actions. */
export function useCan(): (slug: string | undefined) => boolean {
  const scope = useScope();
  return (slug) => holds(scope, slug);
}
