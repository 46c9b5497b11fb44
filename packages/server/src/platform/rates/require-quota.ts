import { problem } from '@florin/contract/errors.ts';
import type { Quota } from './quota.ts';

/** Counts a request of `key`. Throws 429 with the wait in seconds, rounded up, at least one. */
export function requireQuota(
  quota: Quota,
  key: string,
  detailOf: (wait_seconds: number) => string,
  meta: Readonly<Record<string, number>> = {},
): void {
  const { granted, wait_ms } = quota.take(key);
  if (granted) return;
  const waitSeconds = Math.max(1, Math.ceil(wait_ms / 1_000));
  throw problem('rate_limited', detailOf(waitSeconds), undefined, {
    headers: { 'retry-after': String(waitSeconds) },
    meta: { ...meta, retry_after_seconds: waitSeconds },
  });
}
