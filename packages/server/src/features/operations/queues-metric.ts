import { Gauge, type Registry } from 'prom-client';
import { cachedReading } from '../../http/health/database-gauge.ts';
import { metricOptions } from '../../http/health/metrics.ts';
import { instantText, microsOf, seconds } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { type Queue, queueAt, queues } from './sql/queues.ts';

/** Registers the gauges of due work: its amount and its age, by queue. One reading serves both. */
export function registerQueues(
  register: Registry,
  { reads, system_clock, config }: Pick<Services, 'reads' | 'system_clock' | 'config'>,
): void {
  const read = cachedReading(config, async () => {
    const now = system_clock.now();
    const due: Queue[] = [];
    for (const name of queues) due.push(await queueAt(reads, name, instantText(now)));
    return due.map(({ name, due, oldest_due_at }) => ({
      name,
      due,
      late_s: oldest_due_at === null ? 0 : (now - microsOf(oldest_due_at)) / seconds(1),
    }));
  });
  const registers = [register];
  new Gauge({
    ...metricOptions('florin_queue_due'),
    registers,
    async collect() {
      this.reset();
      for (const { name, due } of await read()) this.set({ queue: name }, due);
    },
  });
  new Gauge({
    ...metricOptions('florin_queue_late_seconds'),
    registers,
    async collect() {
      this.reset();
      for (const { name, late_s } of await read()) this.set({ queue: name }, late_s);
    },
  });
}
