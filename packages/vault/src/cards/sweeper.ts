import type { Clock } from '../kernel/clock.ts';
import { faultOf, type Log } from '../kernel/logger.ts';
import type { Db } from '../store/db.ts';
import { sweepCvvs } from './cvv-store.ts';
import { sweepSeals } from './seal-store.ts';

const SWEEP_EVERY_MS = 30_000;

/** Removes what has outlived its time, now and every 30 seconds until it is disposed of. */
export function startSweeper(deps: { db: Db; clock: Clock; log: Log }): AsyncDisposable {
  let running = sweep(deps);
  const timer = setInterval(() => {
    running = running.then(() => sweep(deps));
  }, SWEEP_EVERY_MS);
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await running;
    },
  };
}

async function sweep({ db, clock, log }: { db: Db; clock: Clock; log: Log }): Promise<void> {
  try {
    const swept = { cvvs: await sweepCvvs(db, clock()), seals: await sweepSeals(db, clock()) };
    if (swept.cvvs + swept.seals > 0) log({ event: 'swept', ...swept });
  } catch (error) {
    log({ event: 'sweep_failed', fault: faultOf(error) });
  }
}
