import type { Scope } from '../kernel/scope.ts';
import type { Db } from '../store/db.ts';
import { countAlike } from './alike-counts.ts';
import type { CountedNumber } from './counted-number.ts';
import {
  countNewNumber,
  findNumberLimits,
  isImportOpen,
  maxOf,
  REFUSED_NUMBERS_MAX,
  takeImportNumber,
} from './new-numbers.ts';
import { lockNumberCounts } from './number-counts.ts';

/**
 * New numbers per day with the same first six and last four digits, of one merchant in one mode. All vaults of a
 * database count together. After one more, every such number is refused that day, so that a refusal tells nothing. An
 * attacker who tries all 100,000 possible numbers of one card needs years.
 */
export const ALIKE_MAX = 20;

/** The same of all merchants in live mode, because a server can name merchants that do not exist. */
export const INSTALLATION_ALIKE_MAX = 100;

export type NumberLimitKind = 'alike_numbers' | 'new_numbers';

/** Limits of the numbers that merchants enter. Both count in the transaction that looks the number up. */
export interface NumberTries {
  /**
   * False if too many new numbers were tried today: then known numbers are refused too. Otherwise the ones that are taken
   * would be those of stored cards.
   */
  hasTries(tx: Db, number: CountedNumber): Promise<boolean>;
  /**
   * Counts a number that the merchant never entered before. False if too many are alike, or new, unless an operator opened
   * an import.
   */
  countNew(tx: Db, number: CountedNumber): Promise<boolean>;
}

interface NumberTriesDeps {
  raiseAlarm(scope: Scope, what: NumberLimitKind): void;
  countRefused(): void;
}

export function createNumberTries({ raiseAlarm, countRefused }: NumberTriesDeps): NumberTries {
  function refuse(): false {
    countRefused();
    return false;
  }

  /** Whether a new number is within its limit. The first one above a limit raises an alarm. */
  function isWithin(
    { merchant_id, mode }: Scope,
    what: NumberLimitKind,
    count: number | undefined,
    maxima: readonly [number, ...number[]],
  ): boolean {
    if (maxima.some((max) => count === max + 1)) raiseAlarm({ merchant_id, mode }, what);
    return count !== undefined && count <= maxima[0];
  }

  return {
    async hasTries(tx, number) {
      const counts = await lockNumberCounts(tx, number);
      if (isImportOpen(counts, number.now)) return true;
      const isExhausted =
        counts.alike_count > ALIKE_MAX ||
        counts.installation_count > INSTALLATION_ALIKE_MAX ||
        counts.new_count > maxOf(counts) + REFUSED_NUMBERS_MAX;
      return isExhausted ? refuse() : true;
    },
    async countNew(tx, number) {
      const { now } = number;
      const limits = await findNumberLimits(tx, number);
      if (isImportOpen(limits, now) && (await takeImportNumber(tx, number, now))) return true;
      const { alike, installation } = await countAlike(tx, number);
      const max = maxOf(limits);
      const lastMax = max + REFUSED_NUMBERS_MAX;
      const newCount = await countNewNumber(tx, number, now, lastMax);
      const verdicts = [
        isWithin(number, 'alike_numbers', alike, [ALIKE_MAX]),
        isWithin(number, 'alike_numbers', installation, [INSTALLATION_ALIKE_MAX]),
        isWithin(number, 'new_numbers', newCount, [max, lastMax]),
      ];
      return verdicts.every(Boolean) || refuse();
    },
  };
}
