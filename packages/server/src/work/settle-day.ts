import type { Services } from '../features/services.ts';
import { settleDue } from '../features/settlement/settle.ts';
import { startLoop } from './loop.ts';

/** Settles the days that are over at the processors, and pays out. */
export const startSettleDayLoop = (services: Services): AsyncDisposable =>
  startLoop({
    name: 'settle-day',
    logger: services.logger,
    pulses: services.pulses,
    poll_ms: services.config.work_poll_ms,
    async step() {
      const settled = [await settleDue(services, 'sandbox'), await settleDue(services, 'live')];
      return settled.some(Boolean);
    },
  });
