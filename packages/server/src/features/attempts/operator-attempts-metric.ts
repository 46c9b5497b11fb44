import type { Registry } from 'prom-client';
import { registerDatabaseGauge } from '../../http/health/database-gauge.ts';
import type { Services } from '../../services.ts';
import { countOperatorAttempts } from './sql/open-attempts.ts';

/** Registers the gauge of attempts whose outcome an operator finds out. */
export function registerOperatorAttempts(
  register: Registry,
  { db, config }: Pick<Services, 'db' | 'config'>,
): void {
  registerDatabaseGauge(register, config, {
    name: 'florin_operator_attempts',
    async read() {
      const rows = await countOperatorAttempts(db);
      return rows.map(({ mode, count }) => ({
        labels: { mode: mode as string },
        count: Number(count),
      }));
    },
  });
}
