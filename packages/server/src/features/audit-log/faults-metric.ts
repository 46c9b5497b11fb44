import type { Registry } from 'prom-client';
import { registerDatabaseGauge } from '../../http/health/database-gauge.ts';
import type { Services } from '../../services.ts';
import { readCheck } from './sql.ts';

/** Registers the gauge of faults in the audit log. */
export function registerAuditLogFaults(
  register: Registry,
  { db, config }: Pick<Services, 'db' | 'config'>,
): void {
  registerDatabaseGauge(register, config, {
    name: 'florin_audit_log_faults',
    read: async () => [{ labels: {}, count: (await readCheck(db))?.fault ? 1 : 0 }],
  });
}
