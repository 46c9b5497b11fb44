import { statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Manifest } from './base-backup.ts';
import { manifestName } from './base-backup.ts';
import { isSegment } from './log-segments.ts';
import { PARTIAL, type Repository, readJson } from './repository.ts';
import { type LogState, logName, readLogState } from './ship-log.ts';

/** Contents of a repository: base backups in the order of their time, and the log. */
export interface Catalog {
  readonly bases: readonly Manifest[];
  readonly segments: readonly LogSegment[];
  readonly log: LogState | undefined;
}

export interface LogSegment {
  readonly name: string;
  /** When the repository got it, in ISO 8601; later than its transactions. */
  readonly stored_at: string;
}

/** Reads what a repository holds. Rejects with `SealBroken` if a manifest does not verify. */
export async function readCatalog(repository: Repository): Promise<Catalog> {
  const bases: Manifest[] = [];
  for (const label of await labelsOf(repository))
    bases.push(await readJson<Manifest>(repository, manifestName(label)));
  return { bases, segments: await segmentsOf(repository), log: await readLogState(repository) };
}

/** Labels of the complete base backups, the oldest first. */
export async function labelsOf({ directory }: Repository): Promise<string[]> {
  const names = await readdir(join(directory, 'base'));
  return names.filter((name) => !name.endsWith(PARTIAL)).sort();
}

async function segmentsOf({ directory }: Repository): Promise<LogSegment[]> {
  const names = (await readdir(join(directory, 'wal'))).filter(isSegment).sort();
  return names.map((name) => ({
    name,
    stored_at: statSync(join(directory, logName(name))).mtime.toISOString(),
  }));
}
