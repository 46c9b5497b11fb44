import { networkOf } from '../../../platform/rates/network-of.ts';
import { createQuota, type QuotaPolicy } from '../../../platform/rates/quota.ts';

/** What one address may ask for of the customers' pages: to see them, and to change something. */
export const VIEWS: QuotaPolicy = { requests: 60, seconds: 60 };
export const CHANGES: QuotaPolicy = { requests: 20, seconds: 60 };

/** Counts requests per address in this process. */
export interface CustomerLimits {
  /** How many seconds the address has to wait; undefined where it need not. */
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
