import type { Parameter } from './parameters.ts';

/** URI of the cursor pagination profile, with which its error types begin. */
export const CURSOR_PROFILE = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination/';

/** Reason why a list follows the profile: the client requested it, or used its parameters. */
export type ProfileUse = 'requested' | 'implied' | undefined;

/** Whether, and why, a list with these page parameters follows the profile. */
export function profileUse(page: readonly Parameter[], isRequested: boolean): ProfileUse {
  if (isRequested) return 'requested';
  const isCursor = ({ brackets: [key], value }: Parameter): boolean =>
    (key === 'after' || key === 'before') && value !== '';
  return page.some(isCursor) ? 'implied' : undefined;
}

type ErrorType = 'max-size-exceeded' | 'range-pagination-not-supported' | 'unsupported-sort';

/** Links of an error for which the profile defines a type. */
export const errorLinks = (
  use: ProfileUse,
  type: ErrorType,
): { readonly links?: { readonly type: string } } =>
  use ? { links: { type: `${CURSOR_PROFILE}${type}` } } : {};
