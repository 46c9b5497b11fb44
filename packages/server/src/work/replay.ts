import type { Services } from '../features/services.ts';
import { replayDue } from '../features/webhooks/replay-batch.ts';
import { startLoop } from '../platform/workers/loop.ts';

/** Has deliveries made again for those who asked for them, some at a time of each. */
export const startReplayLoop = (services: Services): AsyncDisposable =>
  startLoop({
    name: 'replay',
    logger: services.logger,
    pulses: services.pulses,
    wake: services.wake.replay,
    poll_ms: services.config.work_poll_ms,
    async step() {
      const replayed = await replayDue(services);
      if (replayed) services.wake.deliver.raise();
      return replayed;
    },
  });
