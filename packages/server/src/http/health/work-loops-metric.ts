import { Gauge, type Registry } from 'prom-client';
import type { Services } from '../../services.ts';
import { metricOptions } from './metrics.ts';

const MICROS = 1_000_000;

/** Gauge of the time since each work loop of this process finished a step. */
export function registerWorkLoops(
  register: Registry,
  { system_clock, loop_statuses }: Pick<Services, 'system_clock' | 'loop_statuses'>,
): void {
  new Gauge({
    ...metricOptions('florin_work_loop_idle_seconds'),
    registers: [register],
    collect() {
      for (const { loop, started_at, stepped_at } of loop_statuses?.list() ?? [])
        this.set({ loop }, (system_clock.now() - (stepped_at ?? started_at)) / MICROS);
    },
  });
}
