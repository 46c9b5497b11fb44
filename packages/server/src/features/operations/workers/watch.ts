import { instantText } from '../../../platform/time/clock.ts';
import { startLoop } from '../../../platform/workers/loop.ts';
import type { Services } from '../../../services.ts';

/** Starts the loop that wakes other loops when they have due rows. */
export const startWatchLoop = (services: Services): AsyncDisposable =>
  startLoop(services, {
    name: 'watch',
    poll_ms: services.config.work_poll_ms,
    async step() {
      await services.due_watch?.check(instantText(services.clock.now()));
      return false;
    },
  });
