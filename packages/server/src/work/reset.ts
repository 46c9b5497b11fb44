import { resetStep } from '../features/sandbox/reset.ts';
import type { Services } from '../features/services.ts';
import { startLoop } from '../platform/workers/loop.ts';

const POLL_MS = 500;

/** Empties the sandboxes that their merchants want empty. */
export const startResetLoop = (services: Services): AsyncDisposable =>
  startLoop({
    name: 'reset',
    logger: services.logger,
    pulses: services.pulses,
    poll_ms: POLL_MS,
    step: () => resetStep(services),
  });
