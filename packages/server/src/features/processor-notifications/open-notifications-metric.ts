import type { Registry } from 'prom-client';
import { registerDatabaseGauge } from '../../http/health/database-gauge.ts';
import type { Services } from '../../services.ts';
import { countOpenNotifications } from './sql/notifications.ts';

/** Registers the gauge of notifications that an operator decides. */
export function registerOpenNotifications(
  register: Registry,
  { db, config }: Pick<Services, 'db' | 'config'>,
): void {
  registerDatabaseGauge(register, config, {
    name: 'florin_processor_notifications_open',
    async read() {
      const rows = await countOpenNotifications(db);
      return rows.map(({ mode, status, count }) => ({
        labels: { mode: mode as string, status: status as string },
        count: Number(count),
      }));
    },
  });
}
