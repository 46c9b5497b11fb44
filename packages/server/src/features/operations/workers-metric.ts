import type { Registry } from 'prom-client';
import { registerDatabaseGauge } from '../../http/health/database-gauge.ts';
import { countWorkers } from '../../platform/workers/heartbeats.ts';
import type { Services } from '../../services.ts';

/** Registers the gauge of live processes with work loops. */
export const registerWorkers = (
  register: Registry,
  { reads, system_clock, config }: Pick<Services, 'reads' | 'system_clock' | 'config'>,
): void =>
  registerDatabaseGauge(register, config, {
    name: 'florin_workers',
    read: async () => [{ labels: {}, count: await countWorkers(reads, system_clock.now()) }],
  });
