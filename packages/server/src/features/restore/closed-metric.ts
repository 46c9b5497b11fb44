import type { Registry } from 'prom-client';
import { registerDatabaseGauge } from '../../http/health/database-gauge.ts';
import type { Services } from '../../services.ts';

/** Registers the gauge of an installation that is closed after a restore. */
export const registerClosedRestore = (
  register: Registry,
  { restore_gate, config }: Pick<Services, 'restore_gate' | 'config'>,
): void =>
  registerDatabaseGauge(register, config, {
    name: 'florin_restore_closed',
    read: async () => [{ labels: {}, count: restore_gate.restoredTo() === undefined ? 0 : 1 }],
  });
