import { Gauge, type Registry } from 'prom-client';
import { OPEN_ERROR_SECONDS, OPEN_WARN_SECONDS } from '../features/attempts/age-alarm.ts';
import type { Services } from '../features/services.ts';
import { instantText, seconds } from '../kernel/clock.ts';
import { openAttemptsSince } from '../store/open-attempts.ts';

/** How long a count is good for, however often it is asked for. */
const COUNT_LIFE_MS = 5_000;

/** The gauge of attempts without an outcome, by their age; it is not there while the database does not answer. */
export function registerOpenAttempts(
  register: Registry,
  { db, clock, config }: Pick<Services, 'db' | 'clock' | 'config'>,
): void {
  let good_until = Number.NEGATIVE_INFINITY;
  new Gauge({
    name: 'florin_open_attempts',
    help: 'Messages to processors whose outcome is not known, by how long it has been so',
    labelNames: ['age'],
    registers: [register],
    async collect() {
      const now = config.monotonic_ms();
      if (now < good_until) return;
      good_until = now + COUNT_LIFE_MS;
      this.reset();
      const ages = [0, OPEN_WARN_SECONDS, OPEN_ERROR_SECONDS];
      const since = ages.map((age) => instantText(clock.now() - seconds(age)));
      const counts = await openAttemptsSince(db, since).catch(() => undefined);
      if (!counts) return;
      const [all = 0, hour = 0, day = 0] = counts;
      this.set({ age: 'under_1h' }, all - hour);
      this.set({ age: '1h_to_24h' }, hour - day);
      this.set({ age: 'over_24h' }, day);
    },
  });
}
