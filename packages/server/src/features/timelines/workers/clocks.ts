import { startLoop } from '../../../platform/workers/loop.ts';
import type { Services } from '../../../services.ts';

/** Starts the loop that reads changed clocks, in a process that runs no timelines. */
export const startClocksLoop = (services: Services): AsyncDisposable =>
  startLoop(services, {
    name: 'clocks',
    poll_ms: services.config.timelines_poll_ms,
    async step() {
      await services.timelines.refresh();
      return false;
    },
  });
