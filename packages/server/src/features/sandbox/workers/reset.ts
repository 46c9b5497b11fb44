import { startLoop } from '../../../platform/workers/loop.ts';
import type { Services } from '../../../services.ts';
import { resetStep } from '../reset.ts';

const POLL_MS = 500;

/** Starts the loop that runs requested sandbox resets. */
export const startResetLoop = (services: Services): AsyncDisposable =>
  startLoop({
    name: 'reset',
    logger: services.logger,
    loop_statuses: services.loop_statuses,
    poll_ms: POLL_MS,
    step: () => resetStep(services),
  });
