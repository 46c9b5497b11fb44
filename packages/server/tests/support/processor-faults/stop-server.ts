import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack } from '@florin/dev-env/stack.ts';
import { type Clock, systemClock } from '../../../src/platform/time/clock.ts';
import { startKillableProcess } from '../killable.ts';
import type { ServerStop } from './plan.ts';

/** Runs actions while the server stops as planned. The server runs again at the end. */
export async function runWithStop<T>(
  stack: Stack,
  stop: ServerStop,
  clock: Clock,
  run: () => Promise<T>,
): Promise<T> {
  if (stop.kind === 'crash') return runWithCrash(stack, stop, clock, run);
  if (stop.kind === 'none') return run();
  const restarted = sleep(stop.after_ms).then(() => stack.restart('server'));
  const [result] = await Promise.all([run(), restarted]);
  return result;
}

const MICROS_PER_SECOND = 1_000_000;

/** Lets a process of its own serve, which ends with SIGKILL. */
async function runWithCrash<T>(
  stack: Stack,
  { point, passage }: Extract<ServerStop, { kind: 'crash' }>,
  clock: Clock,
  run: () => Promise<T>,
): Promise<T> {
  await stack.stop('server');
  const { dataDir, simulatorUrl, databaseUrl, vaultDatabaseUrl, vaultSocket: socketPath } = stack;
  const port = Number(new URL(stack.baseUrl).port);
  const wiring = { port, dataDir, socketPath, simulatorUrl, databaseUrl, vaultDatabaseUrl };
  const offset_seconds = Math.floor((clock.now() - systemClock().now()) / MICROS_PER_SECOND);
  const child = await startKillableProcess({ wiring, offset_seconds, kill: { point, passage } });
  const crashed = child.exitSignal.then(() => stack.start('server'));
  try {
    return await run();
  } finally {
    await child.kill();
    await crashed;
  }
}
