import type { Db } from '../../../platform/database/db.ts';
import { createSharedLimit, type LimitServices, type SharedLimit } from './shared-limit.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
/**
 * Wrong passwords or codes per account, shortest window first (PCI DSS 4.0.1, 8.3.4). The wait after the tenth is up to
 * 15 minutes. Later waits grow to a day.
 */
export const GUESS_WINDOWS = [
  { max: 10, window_seconds: 15 * MINUTE },
  { max: 20, window_seconds: 2 * HOUR },
  { max: 30, window_seconds: 24 * HOUR },
] as const;
/** Guesses before the first wait. */
export const GUESSES_MAX = GUESS_WINDOWS[0].max;

/** Creates a limit whose wait grows with the number of guesses. */
export function createGuessLimit(services: LimitServices, name: string): SharedLimit {
  const limits = GUESS_WINDOWS.map(({ max, window_seconds }) =>
    createSharedLimit(services, { name: `${name} ${window_seconds}`, max, window_seconds }),
  );
  return {
    /** Counts in sequence, so that attempts during a wait do not lengthen the next one. */
    async take(key: string, tx?: Db) {
      for (const limit of limits) if (!(await limit.take(key, tx))) return false;
      return true;
    },
    async reset(key) {
      for (const limit of limits) await limit.reset(key);
    },
  };
}
