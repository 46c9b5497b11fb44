import type { Services } from '../features/services.ts';
import { instantText } from '../kernel/clock.ts';
import { forgetKeys } from '../store/idempotency.ts';
import { startLoop } from './loop.ts';

const POLL_MS = 60_000;
/** Keys that one statement forgets; while that many are found, the next follows at once. */
const FORGET_BATCH_MAX = 1_000;

/** Forgets idempotency keys whose time is over. */
export const startForgetLoop = ({ db, clock, logger }: Services): AsyncDisposable =>
  startLoop({
    name: 'forget',
    logger,
    poll_ms: POLL_MS,
    async step() {
      const forgotten = await forgetKeys(db, instantText(clock.now()), FORGET_BATCH_MAX);
      return forgotten === FORGET_BATCH_MAX;
    },
  });
