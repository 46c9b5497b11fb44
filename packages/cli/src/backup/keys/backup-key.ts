import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from '../../database/client.ts';
import { createWhole } from '../../kernel/create-whole.ts';
import { PlainFailure } from '../../kernel/plain-failure.ts';
import { writeWhole } from '../../kernel/write-whole.ts';

/** Secret of 32 bytes that seals files of a backup. */
export interface SealingKey {
  readonly secret: Buffer;
  /** Tells keys apart without revealing them. */
  readonly fingerprint: string;
}

/** Contents of a key file, which is never part of the backup. The first key seals, and all of them open. */
export interface BackupKey extends SealingKey {
  /** Keys from before rotations, the newest first. */
  readonly older: readonly SealingKey[];
}

/** Keys of a file. A file of the backup is tried with each of them. */
export const BACKUP_KEYS_MAX = 20;
const KEY_BYTES = 32;
const PATTERN = /^florin-backup-key-1 ([A-Za-z0-9_-]{43})\s*$/;

/** All keys of a file, that which seals first. */
export const keysOf = ({ older, ...first }: BackupKey): readonly SealingKey[] => [first, ...older];

/** Reads a key file. Throws `PlainFailure` if it is absent or no key. */
export function readBackupKey(path: string): BackupKey {
  const lines = readText(path).trim().split('\n');
  const [first, ...older] = lines.map(parseLine);
  if (first && older.every((key) => key !== undefined) && lines.length <= BACKUP_KEYS_MAX)
    return { ...first, older };
  throw new PlainFailure(
    `${path} is no backup key. A backup key has 1 to ${BACKUP_KEYS_MAX} lines that begin with florin-backup-key-1; "florin backup" created it.`,
  );
}

function parseLine(line: string): SealingKey | undefined {
  const secret = Buffer.from(PATTERN.exec(line)?.[1] ?? '', 'base64url');
  return secret.length === KEY_BYTES ? { secret, fingerprint: fingerprintOf(secret) } : undefined;
}

const newLine = (): string =>
  `florin-backup-key-1 ${randomBytes(KEY_BYTES).toString('base64url')}\n`;

/** Puts a new key before the keys of a file. A crash leaves the old file or the new one. Throws for a full file. */
export async function addBackupKey(path: string): Promise<BackupKey> {
  const { older } = readBackupKey(path);
  if (older.length + 2 > BACKUP_KEYS_MAX)
    throw new PlainFailure(
      `${path} has ${BACKUP_KEYS_MAX} keys, the maximum. "florin backup verify" names the keys in use: remove the lines of others, then repeat.`,
    );
  await writeWhole(path, newLine() + readText(path));
  return readBackupKey(path);
}

/** Reads a key file, and creates it if absent. Returns whether it is new. */
export async function ensureBackupKey(
  path: string,
): Promise<{ readonly key: BackupKey; readonly isNew: boolean }> {
  if (existsSync(path)) return { key: readBackupKey(path), isNew: false };
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await createWhole(path, newLine());
  return { key: readBackupKey(path), isNew: true };
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new PlainFailure(
      `The backup key ${path} cannot be read (${codeOf(cause)}). Name its file with --key.`,
      { cause },
    );
  }
}

const fingerprintOf = (secret: Buffer): string =>
  createHash('sha256')
    .update(Buffer.from(hkdfSync('sha256', secret, '', 'florin backup fingerprint', KEY_BYTES)))
    .digest('hex')
    .slice(0, 16);
