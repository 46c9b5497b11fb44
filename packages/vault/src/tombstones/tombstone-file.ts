import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Scope } from '../kernel/scope.ts';
import { syncDirectory } from '../kernel/sync-directory.ts';

/** A destroyed card, or all cards of a merchant under keys up to a version. Holds no card data. */
export type Tombstone =
  | (Scope & { readonly kind: 'card'; readonly token: string })
  | (Scope & { readonly kind: 'merchant'; readonly version: number });

/** A tombstone with its time, in milliseconds; undefined where the line has none. */
export type DatedTombstone = Tombstone & { readonly at: number | undefined };

const FILE_PATTERN = /^tombstones-(\d{4}-\d{2})\.log$/;
/** Months after which a file is deleted. No backup may be kept for longer. */
export const MONTHS_KEPT = 36;
/** Bytes that are read at once. */
const SLICE_BYTES = 1024 ** 2;

/** Mark before each line. The mark invalidates a torn part before it, even a part that lacks only its line break. */
const VOID_MARK = '~';
const VOID_LINE = `${VOID_MARK}\n`;

/** Name of the file for a time in milliseconds. */
export const fileNameAt = (now: number): string =>
  `tombstones-${new Date(now).toISOString().slice(0, 7)}.log`;

/**
 * Appends a tombstone with its time and resolves once the disk has it. A part that fits on a full disk is no tombstone.
 * Nothing is ever cut, because calls and processes append to one file at once. If the disk fails during the
 * synchronisation, the tombstone may stay. Only the vault's user can read the file. The time comes first in a line, so that
 * operators can cut a file before a restore.
 */
export async function appendTombstone(
  directory: string,
  tombstone: Tombstone,
  now: number,
): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await using file = await open(join(directory, fileNameAt(now)), 'a', 0o600);
  await writeWhole(file, { at: new Date(now).toISOString(), ...tombstone });
  await file.sync();
  // A process may have died right after it created the file, so this is not for new files only.
  await syncDirectory(directory);
}

/** Writes a line at once, so that no other line gets inside it. Throws if only a part fits. */
async function writeWhole(file: FileHandle, record: object): Promise<void> {
  const bytes = Buffer.from(`${VOID_LINE}${JSON.stringify(record)}\n`);
  const { bytesWritten } = await file.write(bytes);
  if (bytesWritten === bytes.length) return;
  // The rest of the disk's space is used, so this fails with the cause. Otherwise it makes the part invalid.
  await file.write(VOID_LINE);
  throw Object.assign(new Error('a tombstone was written in part'), { code: 'ENOSPC' });
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
  readonly tombstones: readonly DatedTombstone[];
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
  const lines = buffer
    .toString('utf8', 0, end)
    .split('\n')
    .filter((line) => line !== '' && line !== VOID_MARK);
  const tombstones = lines.map(parseLine).filter((tombstone) => tombstone !== undefined);
  return { tombstones, torn: lines.length - tombstones.length, next: from + end };
}

function parseLine(line: string): DatedTombstone | undefined {
  try {
    const { at: time, kind, merchant_id, mode, token, version } = JSON.parse(line);
    const isScoped = typeof merchant_id === 'string' && (mode === 'live' || mode === 'sandbox');
    if (!isScoped) return undefined;
    const at = Number.isNaN(Date.parse(time)) ? undefined : Date.parse(time);
    if (kind === 'card' && typeof token === 'string') return { at, kind, merchant_id, mode, token };
    if (kind === 'merchant' && Number.isInteger(version))
      return { at, kind, merchant_id, mode, version };
  } catch {}
  return undefined;
}
