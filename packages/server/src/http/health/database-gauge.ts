import { Gauge, type Registry } from 'prom-client';
import type { Config } from '../../config/config.ts';
import { type MetricName, metricOptions } from './metrics.ts';

/** Cache time of a count, in milliseconds. */
const COUNT_LIFE_MS = 5_000;

/** A gauge's value with its labels. */
export interface GaugeValue {
  readonly labels: Readonly<Record<string, string>>;
  readonly count: number;
}

export interface DatabaseGauge {
  readonly name: MetricName;
  readonly read: () => Promise<readonly GaugeValue[]>;
}

/** Gauge of a count in the database. Without a response of the database it has no values. */
export function registerDatabaseGauge(
  register: Registry,
  { monotonic_ms }: Pick<Config, 'monotonic_ms'>,
  { name, read }: DatabaseGauge,
): void {
  let cached_until = Number.NEGATIVE_INFINITY;
  new Gauge({
    ...metricOptions(name),
    registers: [register],
    async collect() {
      const now = monotonic_ms();
      if (now < cached_until) return;
      cached_until = now + COUNT_LIFE_MS;
      this.reset();
      const gaugeValues = await read().catch(() => []);
      for (const { labels, count } of gaugeValues) this.set(labels, count);
    },
  });
}
