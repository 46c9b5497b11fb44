import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stateDirectory } from './backup-target.ts';
import type { Catalog } from './catalog.ts';
import { isOutdated, type Repository } from './repository.ts';
import { reachOf } from './restore-plan.ts';
import { SHIPPED, type Shipped } from './ship-log.ts';

/** How far the log of a data directory, or of a copy of its keys, was shipped; undefined before the first time. */
export function readShipped(directory: string): Shipped | undefined {
  const path = join(stateDirectory(directory), SHIPPED);
  if (!existsSync(path)) return undefined;
  return JSON.parse(readFileSync(path, 'utf8')) as Shipped;
}

/**
 * Sentence about a repository that ends before a time that it had reached; undefined if it does not. A person who can write
 * to it can put an earlier state back, every file of which verifies. Read `shipped` before the catalog, which may grow.
 */
export function rolledBack(
  repository: Repository,
  catalog: Catalog,
  shipped: Shipped | undefined,
): string | undefined {
  // A key file from before a rotation does not see the end, and says so.
  if (shipped?.repository_id !== repository.id || isOutdated(repository)) return undefined;
  const reach = reachOf(catalog);
  if (Date.parse(reach) >= Date.parse(shipped.covers_until)) return undefined;
  return `the backup in ${repository.directory} ends at ${reach || 'no time'}, and its log had reached ${shipped.covers_until}: later files are missing, or somebody put an earlier state back. Use another copy of the backup.`;
}
