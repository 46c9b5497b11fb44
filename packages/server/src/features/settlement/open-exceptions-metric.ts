import type { Registry } from 'prom-client';
import { registerDatabaseGauge } from '../../http/health/database-gauge.ts';
import type { Services } from '../../services.ts';
import { countOpenExceptions } from './sql.ts';

/** Registers the gauge of settlement exceptions that nobody resolved. */
export function registerOpenExceptions(
  register: Registry,
  { db, config }: Pick<Services, 'db' | 'config'>,
): void {
  registerDatabaseGauge(register, config, {
    name: 'florin_settlement_exceptions_open',
    async read() {
      const rows = await countOpenExceptions(db);
      return rows.map(({ mode, kind, count }) => ({
        labels: { mode: mode as string, kind: kind as string },
        count: Number(count),
      }));
    },
  });
}
