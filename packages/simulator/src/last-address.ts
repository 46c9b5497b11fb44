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

/** Stores the address for the next start, and for commands that look for the running simulator. */
export const storeAddress = (dataDir: string, url: string): void =>
  writeFileSync(join(dataDir, FILE_NAME), url);
