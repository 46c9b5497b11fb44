import { Gauge, type Registry } from 'prom-client';
import { metricOptions } from '../../http/health/metrics.ts';
import { microsOf } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { findMissingSince } from './sql/balances.ts';

const MICROS = 1_000_000;
/** Milliseconds for which a lag is cached. */
const LAG_LIFE_MS = 5_000;

/**
 * Reads by how many seconds the balances lag behind the ledger, 0 if complete. Null while the
 * database does not answer.
 */
export type BalancesLag = () => Promise<number | null>;

export function createBalancesLag({
  db,
  clock,
  config,
}: Pick<Services, 'db' | 'clock' | 'config'>): BalancesLag {
  let cached_until = Number.NEGATIVE_INFINITY;
  let lag: Promise<number | null> = Promise.resolve(null);
  const read = async (): Promise<number> => {
    const missingFrom = await findMissingSince(db);
    return missingFrom ? Math.max(0, (clock.now() - microsOf(missingFrom)) / MICROS) : 0;
  };
  return () => {
    const now = config.monotonic_ms();
    if (now < cached_until) return lag;
    cached_until = now + LAG_LIFE_MS;
    lag = read().catch(() => null);
    return lag;
  };
}

/** Registers the gauge of the balances' lag. Without a value while the database does not answer. */
export function registerBalancesLag(register: Registry, lag: BalancesLag): void {
  new Gauge({
    ...metricOptions('florin_balances_behind_seconds'),
    registers: [register],
    async collect() {
      const seconds = await lag();
      this.reset();
      if (seconds === null) this.remove();
      else this.set(seconds);
    },
  });
}
