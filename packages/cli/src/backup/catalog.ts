import { existsSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PARTIAL } from '../kernel/write-whole.ts';
import type { Manifest } from './base-backup.ts';
import { manifestName } from './base-backup.ts';
import { keysOf } from './keys/backup-key.ts';
import { isSegment } from './log-segments.ts';
import {
  isNotProven,
  isOutdated,
  keyDoesNotFit,
  opens,
  type Repository,
  readJsonAndKey,
} from './repository.ts';
import { LOG_STATE, type LogState, logName, readLogState } from './ship-log.ts';

/** Contents of a repository: base backups in the order of their time, and the log. */
export interface Catalog {
  readonly bases: readonly Manifest[];
  readonly segments: readonly LogSegment[];
  readonly log: LogState | undefined;
  /** Number of base backups and segments that a key file from before a rotation does not open. */
  readonly shut: number;
  /** Labels of base backups that an older key seals than base backups before them. */
  readonly suspects: readonly string[];
  /** Fingerprints of the keys that seal the base backups, by label. */
  readonly sealed_with: ReadonlyMap<string, string>;
}

export interface LogSegment {
  readonly name: string;
  /** When the repository got it, in ISO 8601; later than its transactions. */
  readonly stored_at: string;
}

/**
 * Reads what a repository holds. With a key file from before a rotation, reads what that file opens. Rejects with
 * `SealBroken` if a manifest does not verify, and with `PlainFailure` if the key opens nothing. So does a key that does not
 * confirm the rotation after it: a changed description would hide later backups.
 */
export async function readCatalog(repository: Repository): Promise<Catalog> {
  if (isOutdated(repository) && !repository.is_proven) throw isNotProven(repository);
  const labels = await labelsOf(repository);
  const stored = await segmentsOf(repository);
  const openable = isOutdated(repository) ? await openableOf(repository, labels) : labels;
  if (labels.length > 0 && openable.length === 0) throw keyDoesNotFit(repository);
  const { bases, suspects, sealed_with } = await readManifests(repository, openable);
  const segments = isOutdated(repository) ? await openableSegments(repository, stored) : stored;
  const shut = labels.length - openable.length + stored.length - segments.length;
  const log = await logOf(repository, bases, segments);
  return { bases, segments, log, shut, suspects, sealed_with };
}

async function openableOf(repository: Repository, labels: readonly string[]): Promise<string[]> {
  const openable: string[] = [];
  for (const label of labels)
    if (await opens(repository, manifestName(label))) openable.push(label);
  return openable;
}

/** Segments up to the last that opens. A shut one before it stays listed, and does not verify. */
async function openableSegments(repository: Repository, stored: readonly LogSegment[]) {
  let end = stored.length;
  while (end > 0 && !(await opens(repository, logName(stored[end - 1]?.name ?? '')))) end--;
  return stored.slice(0, end);
}

async function readManifests(repository: Repository, labels: readonly string[]) {
  const fingerprints = keysOf(repository.key).map(({ fingerprint }) => fingerprint);
  const bases: Manifest[] = [];
  const suspects: string[] = [];
  const keys = new Map<string, string>();
  let newest = fingerprints.length;
  for (const label of labels) {
    const { value, sealed_with } = await readJsonAndKey<Manifest>(repository, manifestName(label));
    const rank = fingerprints.indexOf(sealed_with);
    if (rank > newest) suspects.push(label);
    newest = Math.min(newest, rank);
    bases.push(value);
    keys.set(label, sealed_with);
  }
  return { bases, suspects, sealed_with: keys };
}

/** How far the log reaches. If that note is shut, the log surely covers the last base backup that opens. */
async function logOf(
  repository: Repository,
  bases: readonly Manifest[],
  segments: readonly LogSegment[],
): Promise<LogState | undefined> {
  const isThere = existsSync(join(repository.directory, LOG_STATE));
  if (!isThere || !isOutdated(repository) || (await opens(repository, LOG_STATE)))
    return readLogState(repository);
  const [base, segment] = [bases.at(-1), segments.at(-1)];
  return base && segment
    ? { covers_until: base.stopped_at, last_segment: segment.name }
    : undefined;
}

/**
 * Names of segments that an older key seals than segments before them, or than base backups that ended before them.
 * `keys`: fingerprints of opened segments by name.
 */
export function suspectSegments(
  { key }: Repository,
  { bases, sealed_with }: Catalog,
  keys: ReadonlyMap<string, string>,
): string[] {
  const fingerprints = keysOf(key).map(({ fingerprint }) => fingerprint);
  const rankOf = (fingerprint = ''): number => fingerprints.indexOf(fingerprint);
  const suspects: string[] = [];
  let newest = fingerprints.length;
  for (const [name, fingerprint] of [...keys].sort(([a], [b]) => (a < b ? -1 : 1))) {
    for (const { stop_segment, label } of bases)
      if (stop_segment < name) newest = Math.min(newest, rankOf(sealed_with.get(label)));
    if (rankOf(fingerprint) > newest) suspects.push(name);
    newest = Math.min(newest, rankOf(fingerprint));
  }
  return suspects;
}

/** Warning about forged segments; empty if there are none. */
export const segmentNotes = (names: readonly string[]): string[] =>
  names.length === 0
    ? []
    : [
        `WARNING: ${names.length} segments of the log, the first of them ${names[0]}, are sealed with an older key than what came before them. A person with the old key may have forged them, or an earlier release sealed them with an old copy of the key file. If you do not know the reason, restore to a time before the first one.`,
      ];

/** Sentences about the keys of a backup that a person must know before using it. */
export function keyNotes(repository: Repository, { shut, suspects }: Catalog): string[] {
  const outdated = isOutdated(repository)
    ? [
        `This key file is from before a rotation, and lacks the key ${repository.sealing_key}: ${shut} base backups and segments of the log stay shut. Use a newer copy of the key file for the time after the rotation.`,
      ]
    : [];
  const forged = suspects.map(
    (label) =>
      `WARNING: the base backup ${label} is sealed with an older key than base backups before it. A person with the old key may have forged it.`,
  );
  return [...outdated, ...forged];
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
