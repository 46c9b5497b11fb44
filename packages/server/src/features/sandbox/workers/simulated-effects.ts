import { startLoop } from '../../../platform/workers/loop.ts';
import type { Services } from '../../../services.ts';
import { triggerDueEffects } from '../simulated-effects.ts';

/** Starts the loop that triggers due simulated events of a timeline. */
export const startSimulatedEffectsLoop = (services: Services): AsyncDisposable =>
  startLoop(services, {
    name: 'simulated-effects',
    wake: services.wake.simulate,
    poll_ms: services.config.work_poll_ms,
    step: () => triggerDueEffects(services),
  });
