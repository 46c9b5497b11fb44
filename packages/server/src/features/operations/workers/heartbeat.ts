import { BEAT_SECONDS } from '../../../platform/workers/heartbeats.ts';
import { startLoop } from '../../../platform/workers/loop.ts';
import type { Services } from '../../../services.ts';
import { createHeart } from '../heartbeats.ts';

/** Says how the work loops of this process are, for whoever looks after the installation; it is a loop as the others are. */
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
      // Without it this process is taken for one that died, until that is forgotten.
      await heart.stop().catch(() => undefined);
    },
  };
}
