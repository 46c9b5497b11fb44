import type { Registry } from 'prom-client';
import { registerDatabaseGauge } from '../../http/health/database-gauge.ts';
import type { Services } from '../../services.ts';
import { countFailingSubscriptions, countPendingDeliveries } from './sql/backlog.ts';

/** Registers the gauges of pending deliveries and of subscriptions that take none. */
export function registerWebhookBacklog(
  register: Registry,
  { reads, config }: Pick<Services, 'reads' | 'config'>,
): void {
  registerDatabaseGauge(register, config, {
    name: 'florin_webhook_deliveries_pending',
    read: async () => [{ labels: {}, count: await countPendingDeliveries(reads) }],
  });
  registerDatabaseGauge(register, config, {
    name: 'florin_webhook_subscriptions_failing',
    async read() {
      const rows = await countFailingSubscriptions(reads);
      return rows.map(({ mode, count }) => ({
        labels: { mode: mode as string },
        count: Number(count),
      }));
    },
  });
}
