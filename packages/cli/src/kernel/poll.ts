import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 50;

/** Waits until `condition` holds. Resolves with false after `limit_ms` milliseconds. */
export async function waitUntil(condition: () => boolean, limit_ms: number): Promise<boolean> {
  const deadline = performance.now() + limit_ms;
  while (!condition()) {
    if (performance.now() >= deadline) return false;
    await sleep(POLL_MS);
  }
  return true;
}
