import { HEARTBEAT_SECONDS } from '../../../platform/workers/heartbeats.ts';
import { startLoop } from '../../../platform/workers/loop.ts';
import { createSignal } from '../../../platform/workers/signal.ts';
import type { Services } from '../../../services.ts';
import { createProcessHeartbeat } from '../heartbeats.ts';
import { createVaultNote } from '../vault-note.ts';

/**
 * Starts the loop that stores this process's heartbeat: the status of its work loops, itself
 * included.
 */
export function startHeartbeatLoop(services: Services): AsyncDisposable {
  const heartbeat = createProcessHeartbeat(services);
  const noteVault = createVaultNote(services);
  let isStarted = false;
  // Operators see the work of a restored installation as soon as it begins.
  const wake = createSignal();
  services.restore_gate.whenOpen(() => wake.raise());
  // Heartbeats follow the system clock, which does not jump.
  const loop = startLoop(
    { ...services, clock: {} },
    {
      name: 'heartbeat',
      wake,
      poll_ms: HEARTBEAT_SECONDS * 1_000,
      async step() {
        if (!isStarted) await heartbeat.start();
        isStarted = true;
        await heartbeat.report();
        await noteVault();
        return false;
      },
    },
  );
  return {
    async [Symbol.asyncDispose]() {
      await loop[Symbol.asyncDispose]();
      // If this fails, operators see the process as crashed until its heartbeat is pruned.
      await heartbeat.stop().catch(() => undefined);
    },
  };
}
