import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PlainFailure } from '../kernel/plain-failure.ts';

/** Directory in which `florin restore` puts an installation together. */
export const restoringDirectory = (dataDir: string): string => join(dataDir, 'restoring');

/** Throws `PlainFailure` while a restore of the data directory is unfinished: a start would create an empty database. */
export function refuseUnfinished(dataDir: string): void {
  if (!existsSync(restoringDirectory(dataDir))) return;
  throw new PlainFailure(
    `A restore into ${dataDir} is unfinished. Run the same "florin restore" again, or move ${dataDir} away to give it up.`,
  );
}
