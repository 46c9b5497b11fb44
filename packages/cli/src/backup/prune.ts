import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PARTIAL } from '../kernel/write-whole.ts';
import { type Catalog, readCatalog } from './catalog.ts';
import type { Repository } from './repository.ts';
import { logName } from './ship-log.ts';

/** Lists the parts that leave a repository if it keeps `keep` base backups: older ones, and the log before the rest. */
export function prunable({ bases, segments }: Catalog, keep: number) {
  const kept = bases.slice(-keep);
  const first = kept[0]?.start_segment ?? '';
  return {
    labels: bases.slice(0, -keep).map(({ label }) => label),
    segments: segments.flatMap(({ name }) => (name < first ? [name] : [])),
  };
}

/**
 * Removes what leaves the repository. Returns the number of base backups. A base backup loses its name first, so a
 * crash leaves none with missing files.
 */
export async function prune(repository: Repository, keep: number): Promise<number> {
  const { labels, segments } = prunable(await readCatalog(repository), keep);
  const base = join(repository.directory, 'base');
  for (const label of labels) {
    const removed = join(base, `${label}${PARTIAL}`);
    await rename(join(base, label), removed);
    await rm(removed, { recursive: true });
  }
  for (const segment of segments)
    await rm(join(repository.directory, logName(segment)), { force: true });
  return labels.length;
}
