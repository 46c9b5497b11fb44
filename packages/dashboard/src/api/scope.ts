import { createContext, use } from 'react';
import type { Membership } from './session.ts';
import type { Scope } from './types.ts';

/** The merchant and mode of the address, and what the person may do there. */
export interface CurrentScope extends Scope {
  readonly business_name: string;
  readonly permissions: Membership['permissions'];
  /** An operator who looks at a merchant without being a member: everything can be read, nothing written. */
  readonly is_visit: boolean;
  readonly standing: string | undefined;
  /** Whether a processor takes its payments here, as far as that is known. */
  readonly takes_payments: boolean;
  /** The same of live mode. */
  readonly live_takes_payments: boolean;
}

export const ScopeContext = createContext<CurrentScope | undefined>(undefined);

/** The merchant and mode that the page is about. Throws outside of pages of a merchant. */
export function useScope(): CurrentScope {
  const scope = use(ScopeContext);
  if (!scope) throw new Error('This page is not of a merchant.');
  return scope;
}

/** The scope where the page has one: the frame is around all pages. */
export const useMaybeScope = (): CurrentScope | undefined => use(ScopeContext);

/** Whether a person of the scope holds the permission; undefined asks for none. */
export function holds(
  { permissions, is_visit }: Pick<CurrentScope, 'permissions' | 'is_visit'>,
  slug: string | undefined,
): boolean {
  if (slug === undefined) return true;
  if (is_visit) return slug.endsWith('.read');
  return permissions === 'all' || permissions.includes(slug);
}

/** Says for permissions whether the person has them, to show only what can be done. */
export function useCan(): (slug: string | undefined) => boolean {
  const scope = useScope();
  return (slug) => holds(scope, slug);
}
