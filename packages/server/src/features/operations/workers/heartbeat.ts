import { BEAT_SECONDS } from '../../../platform/workers/heartbeats.ts';
import { startLoop } from '../../../platform/workers/loop.ts';
import type { Services } from '../../../services.ts';
import { createHeart } from '../heartbeats.ts';

/** Reports the status of this process's work loops to operators; is a loop itself. */
export function startHeartbeatLoop(services: Services): AsyncDisposable {
  const heart = createHeart(services);
  let isStarted = false;
  const loop = startLoop({
    name: 'heartbeat',
    logger: services.logger,
    pulses: services.pulses,
    poll_ms: BEAT_SECONDS * 1_000,
    async step() {
      if (!isStarted) await heart.start();
      isStarted = true;
      await heart.beat();
      return false;
    },
  });
  return {
    async [Symbol.asyncDispose]() {
      await loop[Symbol.asyncDispose]();
      // If this fails, the process counts as crashed until its heartbeat is pruned.
      await heart.stop().catch(() => undefined);
    },
  };
}
