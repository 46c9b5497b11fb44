import type { Registry } from 'prom-client';
import { registerDatabaseGauge } from '../../../http/health/database-gauge.ts';
import type { Services } from '../../../services.ts';
import { countReportsToDecide } from './sql/reports.ts';

/** Registers the gauge of settlement reports that an operator decides, and of accounts whose list fails. */
export function registerOpenReports(
  register: Registry,
  { db, config }: Pick<Services, 'db' | 'config'>,
): void {
  registerDatabaseGauge(register, config, {
    name: 'florin_processor_reports_open',
    async read() {
      const rows = await countReportsToDecide(db);
      return rows.map(({ mode, reason, count }) => ({
        labels: { mode: mode as string, reason: reason as string },
        count: Number(count),
      }));
    },
  });
}
