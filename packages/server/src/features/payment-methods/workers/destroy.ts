import { startLoop } from '../../../platform/workers/loop.ts';
import type { Services } from '../../../services.ts';
import { destroyDiscarded } from '../destroy-cards.ts';

/** Starts the loop that destroys cards of discarded payment methods. */
export const startDestroyLoop = (services: Services): AsyncDisposable =>
  startLoop(services, {
    name: 'destroy',
    wake: services.wake.destroy,
    poll_ms: services.config.work_poll_ms,
    due: [{ table: 'discarded_cards' }],
    step: () => destroyDiscarded(services),
  });
