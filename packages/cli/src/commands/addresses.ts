import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCredentials } from '../api/access.ts';
import type { StartSettings } from '../config/env.ts';
import { PlainFailure } from '../kernel/plain-failure.ts';

/** Addresses of a running Florin and of its simulated card network. */
export interface Addresses {
  readonly simulator_url: string;
  readonly florin_url: string;
}

/** Finds the addresses in the settings and the data directory. Throws `PlainFailure` if nothing was started there. */
export function addressesOf({ dataDir, simulatorUrl }: StartSettings): Addresses {
  const florin_url = readCredentials(dataDir)?.base_url;
  const simulator_url = simulatorUrl ?? readSimulatorUrl(dataDir);
  if (florin_url && simulator_url) return { florin_url, simulator_url };
  throw new PlainFailure(
    `No Florin with a simulated card network was started in ${dataDir}. Start it with npm start, or set FLORIN_DATA to its data directory.`,
  );
}

/** The simulator stores its address when it starts. */
function readSimulatorUrl(dataDir: string): string | undefined {
  try {
    return readFileSync(join(dataDir, 'simulator', 'url'), 'utf8');
  } catch {
    return undefined;
  }
}
