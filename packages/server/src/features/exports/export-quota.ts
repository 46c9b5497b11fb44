import type { Scope } from '../../platform/database/scope.ts';
import { createQuota, type QuotaPolicy } from '../../platform/rates/quota.ts';
import { requireQuota } from '../../platform/rates/require-quota.ts';

/** Quota of exports per merchant. Each export may read every record. */
const STARTS: QuotaPolicy = { requests: 10, seconds: 60 };

/** Counts an export of a merchant's mode. Throws 429 beyond the quota. */
export type RequireExportQuota = (scope: Scope) => void;

export function createExportQuota(monotonic_ms: () => number): RequireExportQuota {
  const quota = createQuota({ ...STARTS, monotonic_ms });
  return ({ merchant_id, mode }) => requireQuota(quota, `${merchant_id} ${mode}`, tooMany);
}

const tooMany = (waitSeconds: number): string =>
  `A merchant can start ${STARTS.requests} exports in ${STARTS.seconds} s. Try again in ${waitSeconds} s.`;
