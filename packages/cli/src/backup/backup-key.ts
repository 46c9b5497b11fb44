import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from '../database/client.ts';
import { createWhole } from '../kernel/create-whole.ts';
import { PlainFailure } from '../kernel/plain-failure.ts';

/** Secret of 32 bytes that seals a backup. The key file is never part of the backup. */
export interface BackupKey {
  readonly secret: Buffer;
  /** Tells keys apart without revealing them. */
  readonly fingerprint: string;
}

const KEY_BYTES = 32;
const PATTERN = /^florin-backup-key-1 ([A-Za-z0-9_-]{43})\s*$/;

/** Reads a key file. Throws `PlainFailure` if it is absent or no key. */
export function readBackupKey(path: string): BackupKey {
  const secret = Buffer.from(PATTERN.exec(readText(path))?.[1] ?? '', 'base64url');
  if (secret.length === KEY_BYTES) return { secret, fingerprint: fingerprintOf(secret) };
  throw new PlainFailure(
    `${path} is no backup key. A backup key is a line that begins with florin-backup-key-1; "florin backup" created it.`,
  );
}

/** Reads a key file, and creates it if absent. Returns whether it is new. */
export async function ensureBackupKey(
  path: string,
): Promise<{ readonly key: BackupKey; readonly isNew: boolean }> {
  if (existsSync(path)) return { key: readBackupKey(path), isNew: false };
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await createWhole(path, `florin-backup-key-1 ${randomBytes(KEY_BYTES).toString('base64url')}\n`);
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
