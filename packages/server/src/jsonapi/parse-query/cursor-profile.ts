import type { Parameter } from './parameters.ts';

/** The profile by which lists are paged over cursors; the types of its errors begin with its URI. */
export const CURSOR_PROFILE = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination/';

/** Why a list follows the profile: the client has asked for it, or has used its parameters without asking. */
export type ProfileUse = 'asked' | 'implied' | undefined;

/** Whether a list with these page parameters follows the profile. */
export function profileUse(page: readonly Parameter[], asked: boolean): ProfileUse {
  if (asked) return 'asked';
  const isCursor = ({ brackets: [key], value }: Parameter): boolean =>
    (key === 'after' || key === 'before') && value !== '';
  return page.some(isCursor) ? 'implied' : undefined;
}

type ErrorType = 'max-size-exceeded' | 'range-pagination-not-supported' | 'unsupported-sort';

/** The links that an error has where the profile gives it a type. */
export const errorLinks = (
  use: ProfileUse,
  type: ErrorType,
): { readonly links?: { readonly type: string } } =>
  use ? { links: { type: `${CURSOR_PROFILE}${type}` } } : {};
