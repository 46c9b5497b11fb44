import { problem } from '@florin/contract/errors.ts';
import { createLimiter } from '../../../platform/concurrency/limiter.ts';
import { OverloadedError } from '../../../platform/concurrency/overloaded.ts';
import { createQuota, type QuotaPolicy } from '../../../platform/rates/quota.ts';
import { requireQuota } from '../../../platform/rates/require-quota.ts';

/** Quota of settlements on request per sandbox and process: enough for people and their tests. */
export const REQUESTED_SETTLEMENTS: QuotaPolicy = { requests: 10, seconds: 60 };

/** Requests lock the same row of progress: a second one at work would only hold a connection while it waits. */
const AT_WORK = { max: 1, waiting_max: 100 };
/** Longest wait for the settlements of other sandboxes. */
const WAIT_MAX_MS = 10_000;

/** Runs a settlement on request within the limits. */
export interface SettlementLimits {
  /** Throws 429 beyond the merchant's quota or the wait. Rejects with `OverloadedError` when too many others wait. */
  run<T>(merchant_id: string, settle: () => Promise<T>): Promise<T>;
}

export function createSettlementLimits(
  monotonic_ms: () => number,
  wait_max_ms = WAIT_MAX_MS,
): SettlementLimits {
  const quota = createQuota({ ...REQUESTED_SETTLEMENTS, monotonic_ms });
  const limiter = createLimiter({ total: AT_WORK, wait_max_ms });
  const { requests, seconds } = REQUESTED_SETTLEMENTS;
  return {
    async run(merchant_id, settle) {
      requireQuota(quota, merchant_id, tooOften, { quota: requests, window_seconds: seconds });
      return limiter.run(settle, merchant_id).catch((error: unknown) => {
        throw isWaitOver(error) ? waitedTooLong() : error;
      });
    },
  };
}

const tooOften = (waitSeconds: number): string => {
  const { requests, seconds } = REQUESTED_SETTLEMENTS;
  return `A sandbox can be settled ${requests} times in ${seconds} s. Try again in ${waitSeconds} s.`;
};

const isWaitOver = (error: unknown): boolean =>
  error instanceof OverloadedError && error.exceeded.limit === 'wait_ms';

const RETRY_AFTER_S = 10;

const waitedTooLong = () =>
  problem(
    'rate_limited',
    `Settlements of other sandboxes took too long, and nothing was done. Try again in ${RETRY_AFTER_S} s.`,
    undefined,
    {
      headers: { 'retry-after': String(RETRY_AFTER_S) },
      meta: { retry_after_seconds: RETRY_AFTER_S },
    },
  );
