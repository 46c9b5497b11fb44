import { networkOf } from '../../../platform/rates/network-of.ts';
import { createQuota, type QuotaPolicy } from '../../../platform/rates/quota.ts';

/** Rate limits of an address on customer pages: `VIEWS` for reads, `CHANGES` for forms. */
export const VIEWS: QuotaPolicy = { requests: 60, seconds: 60 };
export const CHANGES: QuotaPolicy = { requests: 20, seconds: 60 };

/** Rate limits of customer pages per address, counted in this process. */
export interface CustomerLimits {
  /** Seconds until the address may try again. Undefined if the request is within the limit. */
  waitFor(kind: 'view' | 'change', ip: string): number | undefined;
}

export function createCustomerLimits(monotonic_ms: () => number): CustomerLimits {
  const quotas = {
    view: createQuota({ ...VIEWS, monotonic_ms }),
    change: createQuota({ ...CHANGES, monotonic_ms }),
  };
  return {
    waitFor(kind, ip) {
      const { granted, wait_ms } = quotas[kind].take(networkOf(ip));
      return granted ? undefined : Math.ceil(wait_ms / 1_000);
    },
  };
}
