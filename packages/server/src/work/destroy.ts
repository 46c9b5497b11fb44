import { destroyDiscarded } from '../features/payment-methods/destroy-cards.ts';
import type { Services } from '../features/services.ts';
import { startLoop } from '../platform/workers/loop.ts';

/** Has the vault destroy the cards of payment methods that were discarded. */
export const startDestroyLoop = (services: Services): AsyncDisposable =>
  startLoop({
    name: 'destroy',
    logger: services.logger,
    pulses: services.pulses,
    poll_ms: services.config.work_poll_ms,
    step: () => destroyDiscarded(services),
  });
