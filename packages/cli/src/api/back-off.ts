import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_WAIT_MS = 500;
const WAIT_MAX_MS = 30_000;

/** Waits longer after each consecutive failure; resolves early when `signal` is aborted. */
export async function backOff(failures: number, signal: AbortSignal): Promise<void> {
  const wait_ms = Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), WAIT_MAX_MS);
  await sleep(wait_ms, undefined, { signal }).catch(() => {});
}
