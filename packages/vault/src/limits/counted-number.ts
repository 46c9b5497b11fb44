import type { Scope } from '../kernel/scope.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Vaults whose clocks differ at midnight count in one row. */
export const DAYS_KEPT = 1;

/** Day of a time in milliseconds: days since 1970, UTC. */
export const dayOf = (now: number): number => Math.floor(now / DAY_MS);

/** Stands for all merchants together, where a merchant id would be. No merchant has an empty one. */
export const INSTALLATION = '';

/** A number as it is counted, by keyed hashes. */
export interface CountedNumber extends Scope {
  readonly mark: string;
  /** The same for numbers of the merchant with the same first and last digits. */
  readonly alike_mark: string;
  /** The same for numbers of all merchants with the same first and last digits. */
  readonly installation_mark: string;
  /** In milliseconds. */
  readonly now: number;
}
