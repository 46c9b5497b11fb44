import { type CvvUse, recordUses } from '../cards/cvv-store.ts';
import type { Clock } from '../kernel/clock.ts';
import { faultOf, type Log } from '../kernel/logger.ts';
import type { Db } from '../store/db.ts';

export interface CvvUses {
  /**
   * Resolves once the use is recorded and the value removed. All that come while one statement
   * runs share the next. A failure is logged and not thrown: the answer is true all the same, and the
   * value's own end of life removes it.
   */
  record(use: CvvUse): Promise<void>;
}

interface Waiting {
  readonly use: CvvUse;
  readonly done: () => void;
}

export function createCvvUses({ db, clock, log }: { db: Db; clock: Clock; log: Log }): CvvUses {
  let waiting: Waiting[] = [];
  let draining = false;

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      const uses = batch.map(({ use }) => use);
      await recordUses(db, uses, clock()).catch((error: unknown) =>
        log({ event: 'cvv_use_not_recorded', fault: faultOf(error) }),
      );
      for (const { done } of batch) done();
    }
    draining = false;
  }

  return {
    record: (use) =>
      new Promise((done) => {
        waiting.push({ use, done });
        if (draining) return;
        draining = true;
        setImmediate(drain);
      }),
  };
}
