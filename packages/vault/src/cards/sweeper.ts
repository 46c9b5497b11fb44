import type { Clock } from '../kernel/clock.ts';
import { runEvery } from '../kernel/every.ts';
import { faultOf, type Log } from '../kernel/logger.ts';
import type { CvvEpochs } from '../keys/cvv-epochs.ts';
import { sweepAlikeCounts } from '../limits/alike-counts.ts';
import { sweepNewNumberCounts } from '../limits/new-numbers.ts';
import type { Db } from '../store/db.ts';
import type { Tombstones } from '../tombstones/tombstones.ts';
import { sweepUnattached } from './card-store.ts';
import { sweepCvvs, wipeCvvs } from './cvv-store.ts';
import { sweepDestroyed } from './destroy.ts';
import { sweepFingerprintIds } from './fingerprint-ids.ts';
import { sweepSeals } from './seal-store.ts';

const SWEEP_EVERY_MS = 30_000;
/**
 * Number of sweeps between rewrites of the verification value files (ten minutes). A rewrite locks a table
 * briefly.
 */
const SWEEPS_PER_REWRITE = 20;

export interface SweeperDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly cvvEpochs: CvvEpochs;
  readonly tombstones: Pick<Tombstones, 'apply'>;
}

/** Deletes expired values and cards, now and every 30 seconds until disposal. */
export function startSweeper(deps: SweeperDeps): AsyncDisposable {
  let sweepCount = 0;
  return runEvery(SWEEP_EVERY_MS, () => sweep(deps, sweepCount++ % SWEEPS_PER_REWRITE === 0));
}

async function sweep(
  { db, clock, log, cvvEpochs, tombstones }: SweeperDeps,
  mustRewrite: boolean,
): Promise<void> {
  try {
    // The database may have been restored while this vault ran.
    await tombstones.apply();
    const deletedCounts = {
      cvvs: await sweepCvvs(db, clock()),
      epochs: await cvvEpochs.sweep(),
      seals: await sweepSeals(db, clock()),
      fingerprints: await sweepFingerprintIds(db, clock()),
      cards: (await sweepUnattached(db, clock())) + (await sweepDestroyed(db)),
    };
    await sweepAlikeCounts(db, clock());
    await sweepNewNumberCounts(db, clock());
    await wipeCvvs(db, { mustRewrite });
    if (Object.values(deletedCounts).some(Boolean)) log({ event: 'swept', ...deletedCounts });
  } catch (error) {
    log({ event: 'sweep_failed', fault: faultOf(error) });
  }
}
