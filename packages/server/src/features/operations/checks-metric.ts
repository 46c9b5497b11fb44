import { Gauge, type Registry } from 'prom-client';
import { cachedReading } from '../../http/health/database-gauge.ts';
import { metricOptions } from '../../http/health/metrics.ts';
import { seconds } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { readCheckResults } from './checks.ts';

/** Registers the gauges of operators' checks: how long ago they ran, and whether they found differences. */
export function registerChecks(
  register: Registry,
  { reads, system_clock, config }: Pick<Services, 'reads' | 'system_clock' | 'config'>,
): void {
  const read = cachedReading(config, () => readCheckResults(reads));
  const registers = [register];
  new Gauge({
    ...metricOptions('florin_check_age_seconds'),
    registers,
    async collect() {
      const results = await read();
      this.reset();
      for (const { name, at } of results)
        this.set({ check: name }, (system_clock.now() - at) / seconds(1));
    },
  });
  new Gauge({
    ...metricOptions('florin_check_failed'),
    registers,
    async collect() {
      const results = await read();
      this.reset();
      for (const { name, is_ok } of results) this.set({ check: name }, Number(!is_ok));
    },
  });
}
