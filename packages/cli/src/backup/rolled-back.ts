import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stateDirectory } from './backup-target.ts';
import type { Catalog } from './catalog.ts';
import { isOutdated, type Repository } from './repository.ts';
import { reachOf } from './restore-plan.ts';
import { SHIPPED, type Shipped } from './ship-log.ts';

/** A note that cannot be read, by its path. */
interface DamagedNote {
  readonly damaged: string;
}

/** How far the log of a data directory, or of a copy of its keys, was shipped; undefined before the first time. */
export function readShipped(directory: string): Shipped | DamagedNote | undefined {
  const path = join(stateDirectory(directory), SHIPPED);
  if (!existsSync(path)) return undefined;
  return readNote(readFileSync(path, 'utf8')) ?? { damaged: path };
}

/** The note in a text; undefined for a text that is none, such as a file that a full disk left empty. */
function readNote(text: string): Shipped | undefined {
  try {
    const note = JSON.parse(text) as Shipped | null;
    return Number.isNaN(Date.parse(String(note?.covers_until))) ? undefined : (note as Shipped);
  } catch {
    return undefined;
  }
}

/**
 * Sentence about a repository that ends before a time that it had reached; undefined if it does not. A person who can write
 * to it can put an earlier state back, every file of which verifies. A damaged note stops nothing: the backup may be all
 * that is left. Read `shipped` before the catalog, which may grow.
 */
export function rolledBack(
  repository: Repository,
  catalog: Catalog,
  shipped: Shipped | DamagedNote | undefined,
): string | undefined {
  if (shipped && 'damaged' in shipped)
    return `${shipped.damaged} is damaged: it told how far the log of the backup in ${repository.directory} reached. The backup ends at ${reachOf(catalog) || 'no time'}. If that is too early, use another copy of the backup. A running Florin writes the file again within a minute; beside a copy of the keys, remove it.`;
  // A key file from before a rotation does not see the end, and says so.
  if (shipped?.repository_id !== repository.id || isOutdated(repository)) return undefined;
  const reach = reachOf(catalog);
  if (Date.parse(reach) >= Date.parse(shipped.covers_until)) return undefined;
  return `the backup in ${repository.directory} ends at ${reach || 'no time'}, and its log had reached ${shipped.covers_until}: later files are missing, or somebody put an earlier state back. Use another copy of the backup.`;
}
