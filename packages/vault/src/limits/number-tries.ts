import type { Clock } from '../kernel/clock.ts';
import { VaultRefusal } from '../kernel/errors.ts';
import type { Scope } from '../kernel/scope.ts';
import type { Db } from '../store/db.ts';
import { countAlike } from './alike-counts.ts';
import {
  countNewNumber,
  findNumberLimits,
  isImportOpen,
  maxOf,
  REFUSED_NUMBERS_MAX,
  takeImportNumber,
} from './new-numbers.ts';
import { findNumberCounts } from './number-counts.ts';

/**
 * New numbers per day with the same first six and last four digits, of one merchant in one mode. All vaults of a
 * database count together. After one more, every such number is refused that day, so that a refusal tells nothing. An
 * attacker who tries all 100,000 possible numbers of one card needs years.
 */
export const ALIKE_MAX = 20;

export type NumberLimitKind = 'alike_numbers' | 'new_numbers';

/** Limits of the numbers that a merchant enters. `alikeMark` is the same for numbers with the same first and last digits. */
export interface NumberTries {
  /**
   * Throws `limited` if too many new numbers were tried today: then known numbers are refused too. Otherwise the ones that
   * are taken would be those of stored cards.
   */
  requireTries(scope: Scope, alikeMark: string): Promise<void>;
  /**
   * Counts a number that the merchant never entered before, in the database. Throws `limited` if too many are alike, or
   * new, unless an operator opened an import.
   */
  requireNewNumber(scope: Scope, alikeMark: string): Promise<void>;
}

interface NumberTriesDeps {
  readonly db: Db;
  readonly clock: Clock;
  raiseAlarm(scope: Scope, what: NumberLimitKind): void;
  countRefused(): void;
}

export function createNumberTries(deps: NumberTriesDeps): NumberTries {
  const { db, clock } = deps;

  function refuse(): never {
    deps.countRefused();
    throw new VaultRefusal('limited', 'The merchant entered too many new cards today.');
  }

  /** `count` is undefined beyond the last maximum. The first number above each of them raises an alarm. */
  function requireCount(
    scope: Scope,
    what: NumberLimitKind,
    count: number | undefined,
    maxima: readonly [number, ...number[]],
  ): void {
    if (count !== undefined && count <= maxima[0]) return;
    if (maxima.some((max) => count === max + 1)) deps.raiseAlarm(scope, what);
    refuse();
  }

  return {
    async requireTries({ merchant_id, mode }, mark) {
      const now = clock();
      const counts = await findNumberCounts(db, { merchant_id, mode, mark, now });
      if (isImportOpen(counts, now)) return;
      const isExhausted =
        counts.alike_count > ALIKE_MAX || counts.new_count > maxOf(counts) + REFUSED_NUMBERS_MAX;
      if (isExhausted) refuse();
    },
    async requireNewNumber({ merchant_id, mode }, mark) {
      const scope = { merchant_id, mode };
      const now = clock();
      const limits = await findNumberLimits(db, scope);
      if (isImportOpen(limits, now) && (await takeImportNumber(db, scope, now))) return;
      const alikeCount = await countAlike(db, { ...scope, mark, now }, ALIKE_MAX);
      requireCount(scope, 'alike_numbers', alikeCount, [ALIKE_MAX]);
      const max = maxOf(limits);
      const lastMax = max + REFUSED_NUMBERS_MAX;
      const newCount = await countNewNumber(db, scope, now, lastMax);
      requireCount(scope, 'new_numbers', newCount, [max, lastMax]);
    },
  };
}
