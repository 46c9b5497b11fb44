import { setTimeout as sleep } from 'node:timers/promises';
import { isConnectionError, isPassingError } from '../kernel/batcher.ts';

const REPEATS_MAX = 10;
const REPEAT_PAUSE_MS = 200;

/**
 * Does again what a broken connection left undecided, as its backend may still be at it. Only for work that
 * finds what an earlier run of it has stored and stores the rest.
 */
export async function repeating<T>(work: () => Promise<T>): Promise<T> {
  for (let repeats = 0; ; repeats++) {
    try {
      return await work();
    } catch (error) {
      const again = repeats === 0 ? isConnectionError(error) : isPassingError(error);
      if (!again || repeats >= REPEATS_MAX) throw error;
    }
    await sleep(REPEAT_PAUSE_MS);
  }
}
