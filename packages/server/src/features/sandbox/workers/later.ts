import { startLoop } from '../../../platform/workers/loop.ts';
import type { Services } from '../../../services.ts';
import { bringAbout } from '../later.ts';

/** Triggers the due simulated events of a timeline. */
export const startLaterLoop = (services: Services): AsyncDisposable =>
  startLoop({
    name: 'later',
    logger: services.logger,
    pulses: services.pulses,
    poll_ms: services.config.work_poll_ms,
    step: () => bringAbout(services),
  });
