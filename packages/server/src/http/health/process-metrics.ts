import { createRequire } from 'node:module';
import { Gauge, type Registry } from 'prom-client';
import type { Services } from '../../services.ts';
import { metricOptions } from './metrics.ts';

const manifest = createRequire(import.meta.url)('../../../package.json') as { version: string };

/** Version of this program. */
export const SERVER_VERSION = manifest.version;

/** Registers what this process is, and how often supervisors restarted it and its vault. */
export function registerProcess(
  register: Registry,
  { config, vault }: Pick<Services, 'config' | 'vault'>,
): void {
  const registers = [register];
  new Gauge({ ...metricOptions('florin_build_info'), registers }).set(
    { version: SERVER_VERSION, node: process.version, environment: config.environment },
    1,
  );
  new Gauge({
    ...metricOptions('florin_process_restarts'),
    registers,
    collect() {
      this.reset();
      this.set({ process: 'server' }, config.restarts);
      const { restarts } = vault.health() ?? {};
      if (restarts !== undefined) this.set({ process: 'vault' }, restarts);
    },
  });
}
