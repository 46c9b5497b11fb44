import { startLoop } from '../../../platform/workers/loop.ts';
import type { Services } from '../../../services.ts';
import { replayDue } from '../replays/replay-batch.ts';

/** Starts the loop that runs requested replays, a batch of each replay in turn. */
export const startReplayLoop = (services: Services): AsyncDisposable =>
  startLoop(services, {
    name: 'replay',
    wake: services.wake.replay,
    poll_ms: services.config.work_poll_ms,
    due: [{ table: 'webhook_replays' }],
    async step() {
      const replayed = await replayDue(services);
      if (replayed) services.wake.deliver.raise();
      return replayed;
    },
  });
