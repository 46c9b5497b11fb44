import { setTimeout as sleep } from 'node:timers/promises';
import { isConnectionError } from '@florin/contract/database/fault.ts';
import { isPassingError } from '../concurrency/batcher.ts';

const REPEATS_MAX = 10;
const REPEAT_PAUSE_MS = 200;
/** Latest start of a repetition after the first run, so that the caller gets a response in time. */
const REPEATING_MS = 10_000;

/**
 * Repeats work whose commit is uncertain after a broken connection; its backend may still run. The work must
 * detect what an earlier run stored, and store only the rest.
 */
export async function repeatUncertain<T>(work: () => Promise<T>): Promise<T> {
  const end = performance.now() + REPEATING_MS;
  for (let repeats = 0; ; repeats++) {
    try {
      return await work();
    } catch (error) {
      const canRepeat = repeats === 0 ? isConnectionError(error) : isPassingError(error);
      if (!canRepeat || repeats >= REPEATS_MAX || performance.now() > end) throw error;
    }
    await sleep(REPEAT_PAUSE_MS);
  }
}
