import { createRequire } from 'node:module';
import { Gauge, type Registry } from 'prom-client';
import type { Config } from '../../config/config.ts';
import type { Services } from '../../services.ts';
import { metricOptions } from './metrics.ts';

const manifest = createRequire(import.meta.url)('../../../package.json') as { version: string };

/** Version of this program. */
export const SERVER_VERSION = manifest.version;

/** Registers what this process is, and how often supervisors restarted it and its vault. */
export const registerProcess = (
  register: Registry,
  { config, vault }: Pick<Services, 'config' | 'vault'>,
): void =>
  registerProcessFacts(register, config, () => {
    const { restarts } = vault.health() ?? {};
    return { server: config.restarts, ...(restarts !== undefined && { vault: restarts }) };
  });

/** Registers version and environment, and the restarts of processes by name. */
export function registerProcessFacts(
  register: Registry,
  { environment }: Pick<Config, 'environment'>,
  restartsOf: () => Readonly<Record<string, number>>,
): void {
  const registers = [register];
  new Gauge({ ...metricOptions('florin_build_info'), registers }).set(
    { version: SERVER_VERSION, node: process.version, environment },
    1,
  );
  new Gauge({
    ...metricOptions('florin_process_restarts'),
    registers,
    collect() {
      this.reset();
      for (const [name, restarts] of Object.entries(restartsOf()))
        this.set({ process: name }, restarts);
    },
  });
}
