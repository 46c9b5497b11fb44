import type { Gap } from './gap.ts';

/** A gap in a list, or none. */
export const when = (isGap: boolean, problem: string, fix: string): Gap[] =>
  isGap ? [{ problem, fix }] : [];
