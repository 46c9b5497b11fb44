import { runEvery } from '../kernel/every.ts';
import { faultOf, type Log } from '../kernel/logger.ts';
import type { Rotator } from './rotator.ts';

const RUN_EVERY_MS = 60_000;

/** Runs due rotations, now and once a minute until disposal. */
export function startSchedule(rotator: Rotator, log: Log): AsyncDisposable {
  const loop = runEvery(RUN_EVERY_MS, () =>
    rotator
      .runDue()
      .catch((error: unknown) => log({ event: 'rotation_failed', fault: faultOf(error) })),
  );
  return {
    async [Symbol.asyncDispose]() {
      rotator.stop();
      await loop[Symbol.asyncDispose]();
    },
  };
}
