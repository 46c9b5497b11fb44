import { startLoop } from '../../../platform/workers/loop.ts';
import type { Services } from '../../../services.ts';
import { resetStep } from '../reset.ts';

const POLL_MS = 500;

/** Starts the loop that runs requested sandbox resets. */
export const startResetLoop = (services: Services): AsyncDisposable =>
  startLoop(services, {
    name: 'reset',
    poll_ms: POLL_MS,
    due: [{ table: 'sandbox_resets' }],
    step: () => resetStep(services),
  });
