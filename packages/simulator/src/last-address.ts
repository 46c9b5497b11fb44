import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE_NAME = 'url';

/** Port of the last start in a data directory; 0 if there was none. */
export function lastPortIn(dataDir: string): number {
  try {
    return Number(new URL(readFileSync(join(dataDir, FILE_NAME), 'utf8')).port);
  } catch {
    return 0;
  }
}

const DOORS_FILE_NAME = 'stand-ins.json';

/** Ports of the last start's own addresses of stand-ins, by their prefixes. */
export function lastDoorPortsIn(dataDir: string): Record<string, number> {
  try {
    const urls = JSON.parse(readFileSync(join(dataDir, DOORS_FILE_NAME), 'utf8'));
    return Object.fromEntries(
      Object.entries(urls).map(([prefix, url]) => [prefix, Number(new URL(String(url)).port)]),
    );
  } catch {
    return {};
  }
}

export const storeDoors = (dataDir: string, urls: Readonly<Record<string, string>>): void =>
  writeFileSync(join(dataDir, DOORS_FILE_NAME), JSON.stringify(urls));

/** Stores the address for the next start, and for commands that look for the running simulator. */
export const storeAddress = (dataDir: string, url: string): void =>
  writeFileSync(join(dataDir, FILE_NAME), url);
