import type { Registry } from 'prom-client';
import { registerDatabaseGauge } from '../../http/health/database-gauge.ts';
import { instantText, seconds } from '../../platform/time/clock.ts';
import { NO_ACCOUNT } from '../../processors/metrics.ts';
import type { Services } from '../../services.ts';
import { OPEN_ERROR_SECONDS, OPEN_WARN_SECONDS } from './age-alarm.ts';
import { notifyingAccounts } from './recovery.ts';
import { countOpenAttemptsByAccount, countOpenAttemptsSince } from './sql/open-attempts.ts';

/** Registers the gauge of attempts without an outcome, by age. */
export function registerOpenAttempts(
  register: Registry,
  { db, clock, config, accounts }: Pick<Services, 'db' | 'clock' | 'config' | 'accounts'>,
): void {
  registerDatabaseGauge(register, config, {
    name: 'florin_open_attempts',
    async read() {
      const ages = [0, OPEN_WARN_SECONDS, OPEN_ERROR_SECONDS];
      const instants = ages.map((age) => instantText(clock.now() - seconds(age)));
      const [totalCount = 0, hourOldCount = 0, dayOldCount = 0] = await countOpenAttemptsSince(
        db,
        instants,
        notifyingAccounts(accounts),
      );
      return [
        { labels: { age: 'under_1h' }, count: totalCount - hourOldCount },
        { labels: { age: '1h_to_24h' }, count: hourOldCount - dayOldCount },
        { labels: { age: 'over_24h' }, count: dayOldCount },
      ];
    },
  });
}

/** Registers the gauge of attempts without an outcome, by account. */
export function registerOpenAttemptsByAccount(
  register: Registry,
  { db, config }: Pick<Services, 'db' | 'config'>,
): void {
  registerDatabaseGauge(register, config, {
    name: 'florin_processor_open_attempts',
    async read() {
      const rows = await countOpenAttemptsByAccount(db);
      return rows.map(({ account, count }) => ({
        labels: { account: account ?? NO_ACCOUNT },
        count: Number(count),
      }));
    },
  });
}
