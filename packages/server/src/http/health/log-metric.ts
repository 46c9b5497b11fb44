import { Counter, type Registry } from 'prom-client';
import { metricOptions } from './metrics.ts';

/** Registers the counter of dropped log lines. Returns the function that counts one. */
export function createDropCounter(register: Registry): () => void {
  const dropped = new Counter({
    ...metricOptions('florin_log_lines_dropped_total'),
    registers: [register],
  });
  return () => dropped.inc();
}
