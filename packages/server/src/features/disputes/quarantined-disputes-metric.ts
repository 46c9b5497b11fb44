import type { Registry } from 'prom-client';
import { registerDatabaseGauge } from '../../http/health/database-gauge.ts';
import type { Services } from '../../services.ts';
import { countQuarantinedDisputes } from './sql/waiting-disputes.ts';

/** Registers the gauge of quarantined dispute notifications. */
export function registerQuarantinedDisputes(
  register: Registry,
  { db, config }: Pick<Services, 'db' | 'config'>,
): void {
  registerDatabaseGauge(register, config, {
    name: 'florin_quarantined_disputes',
    async read() {
      const rows = await countQuarantinedDisputes(db);
      return rows.map(({ mode, problem, count }) => ({
        labels: { mode: mode as string, problem: problem as string },
        count: Number(count),
      }));
    },
  });
}
