import { startLoop } from '../../../platform/workers/loop.ts';
import type { Services } from '../../../services.ts';
import { bringAbout } from '../later.ts';

/** Has a sandbox do in a world what was asked to happen later. */
export const startLaterLoop = (services: Services): AsyncDisposable =>
  startLoop({
    name: 'later',
    logger: services.logger,
    pulses: services.pulses,
    poll_ms: services.config.work_poll_ms,
    step: () => bringAbout(services),
  });
