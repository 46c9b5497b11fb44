import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Scope } from '../kernel/scope.ts';
import { syncDirectory } from '../kernel/sync-directory.ts';

/** A destroyed card, or all cards of a merchant under keys up to a version. Holds no card data. */
export type Tombstone =
  | (Scope & { readonly kind: 'card'; readonly token: string })
  | (Scope & { readonly kind: 'merchant'; readonly version: number });

const FILE_PATTERN = /^tombstones-(\d{4}-\d{2})\.log$/;
/** Months after which a file is deleted. No backup may be kept for longer. */
export const MONTHS_KEPT = 36;
/** Bytes that are read at once. */
const SLICE_BYTES = 1024 ** 2;

/** Name of the file for a time in milliseconds. */
export const fileNameAt = (now: number): string =>
  `tombstones-${new Date(now).toISOString().slice(0, 7)}.log`;

/**
 * Appends tombstones with their time and resolves once the disk has them. On failure, such as of a full disk, the file
 * has none of them. Only the vault's user can read it. The time comes first in a line, so that operators can cut a file
 * before a restore.
 */
export async function appendTombstones(
  directory: string,
  tombstones: readonly Tombstone[],
  now: number,
): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await using file = await open(join(directory, fileNameAt(now)), 'a', 0o600);
  const at = new Date(now).toISOString();
  const lines = tombstones.map((tombstone) => JSON.stringify({ at, ...tombstone }));
  const { size } = await file.stat();
  try {
    // The first line break ends a line that a crash has torn.
    await file.appendFile(`\n${lines.join('\n')}\n`);
    await file.sync();
  } catch (error) {
    // A line without its end would become whole with the next one, and destroy what was not destroyed now.
    await file.truncate(size);
    throw error;
  }
  // A process may have died right after it created the file, so this is not for new files only.
  await syncDirectory(directory);
}

/** Names of the files, oldest first. */
export async function listTombstoneFiles(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.filter((name) => FILE_PATTERN.test(name)).sort();
}

/** Deletes files that are older than every backup. */
export async function removeOldFiles(directory: string, now: number): Promise<void> {
  const oldest = new Date(now);
  oldest.setUTCMonth(oldest.getUTCMonth() - MONTHS_KEPT, 1);
  const names = await listTombstoneFiles(directory);
  for (const name of names.filter((name) => name < fileNameAt(oldest.getTime())))
    await rm(join(directory, name), { force: true });
}

/** Whole lines of a file from a place on, and the place after them. */
export interface Slice {
  readonly tombstones: readonly Tombstone[];
  /** Number of lines that are no tombstone, such as one that a crash has torn. */
  readonly torn: number;
  readonly next: number;
}

/** Reads the next slice; undefined at the end. A place beyond the end starts over: the file is another one. */
export async function readTombstones(path: string, place: number): Promise<Slice | undefined> {
  const { size } = await stat(path);
  const from = place > size ? 0 : place;
  if (from === size) return undefined;
  const buffer = Buffer.alloc(Math.min(SLICE_BYTES, size - from));
  await using file = await open(path, 'r');
  await file.read(buffer, 0, buffer.length, from);
  const end = buffer.lastIndexOf('\n') + 1;
  if (end === 0) return undefined;
  const lines = buffer.toString('utf8', 0, end).split('\n').filter(Boolean);
  const tombstones = lines.map(parseLine).filter((tombstone) => tombstone !== undefined);
  return { tombstones, torn: lines.length - tombstones.length, next: from + end };
}

function parseLine(line: string): Tombstone | undefined {
  try {
    const { kind, merchant_id, mode, token, version } = JSON.parse(line);
    const isScoped = typeof merchant_id === 'string' && (mode === 'live' || mode === 'sandbox');
    if (isScoped && kind === 'card' && typeof token === 'string')
      return { kind, merchant_id, mode, token };
    if (isScoped && kind === 'merchant' && Number.isInteger(version))
      return { kind, merchant_id, mode, version };
  } catch {}
  return undefined;
}
