import { Gauge, type Registry } from 'prom-client';
import type { Config } from '../../config/config.ts';
import { type MetricName, metricOptions } from './metrics.ts';

/** Cache time of a reading, in milliseconds. */
const READING_LIFE_MS = 5_000;

/** A gauge's value with its labels. */
export interface GaugeValue {
  readonly labels: Readonly<Record<string, string>>;
  readonly count: number;
}

export interface DatabaseGauge {
  readonly name: MetricName;
  readonly read: () => Promise<readonly GaugeValue[]>;
}

/** Reads the database at most every five seconds. Empty while the database does not answer. */
export function cachedReading<T>(
  { monotonic_ms }: Pick<Config, 'monotonic_ms'>,
  read: () => Promise<readonly T[]>,
): () => Promise<readonly T[]> {
  let cached_until = Number.NEGATIVE_INFINITY;
  let reading: Promise<readonly T[]> = Promise.resolve([]);
  return () => {
    const now = monotonic_ms();
    if (now < cached_until) return reading;
    cached_until = now + READING_LIFE_MS;
    reading = read().catch(() => []);
    return reading;
  };
}

/** Gauge of a count in the database. Without a response of the database it has no values. */
export function registerDatabaseGauge(
  register: Registry,
  config: Pick<Config, 'monotonic_ms'>,
  { name, read }: DatabaseGauge,
): void {
  const readCached = cachedReading(config, read);
  new Gauge({
    ...metricOptions(name),
    registers: [register],
    async collect() {
      const gaugeValues = await readCached();
      this.reset();
      for (const { labels, count } of gaugeValues) this.set(labels, count);
    },
  });
}
