import { Gauge, Histogram, type Registry } from 'prom-client';
import type { Database } from '../../platform/database/db.ts';
import { metricOptions } from './metrics.ts';

const MS = 1_000;
const WAIT_BUCKETS_S = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2, 5, 10];

/** Metrics of the pools of connections to the database. */
export interface PoolMetrics {
  /** Observes how long callers of a pool waited for a connection, in milliseconds. */
  observerOf(pool: string): (wait_ms: number) => void;
  /** Adds a pool to the gauges. */
  track(pool: string, database: Pick<Database, 'usage'>): void;
}

export function createPoolMetrics(register: Registry): PoolMetrics {
  const pools = new Map<string, Pick<Database, 'usage'>>();
  const waits = new Histogram({
    ...metricOptions('florin_pool_wait_seconds'),
    registers: [register],
    buckets: WAIT_BUCKETS_S,
  });
  new Gauge({
    ...metricOptions('florin_pool_connections'),
    registers: [register],
    collect() {
      for (const [pool, database] of pools) {
        const { size, idle, waiting } = database.usage();
        this.set({ pool, state: 'in_use' }, size - idle);
        this.set({ pool, state: 'idle' }, idle);
        this.set({ pool, state: 'waiting' }, waiting);
      }
    },
  });
  new Gauge({
    ...metricOptions('florin_pool_connections_max'),
    registers: [register],
    collect() {
      for (const [pool, database] of pools) this.set({ pool }, database.usage().max);
    },
  });
  return {
    observerOf(pool) {
      const labelled = waits.labels({ pool });
      return (wait_ms) => labelled.observe(wait_ms / MS);
    },
    track: (pool, database) => void pools.set(pool, database),
  };
}
