import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StartupError } from '../../kernel/errors.ts';
import { syncDirectory } from '../../kernel/sync-directory.ts';
import { KEY_BYTES } from '../aead.ts';

/** Reads a key file; undefined if it does not exist. Throws `StartupError` if it is unreadable or not a key. */
export async function readKeyFile(path: string): Promise<Buffer | undefined> {
  const key = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new StartupError(`The root key ${path} cannot be read (${error.code}).`, {
      cause: error,
    });
  });
  if (key && key.length !== KEY_BYTES) {
    throw new StartupError(
      `The root key ${path} must have ${KEY_BYTES} bytes but has ${key.length}. Restore it from its backup.`,
    );
  }
  return key;
}

/**
 * Writes a temporary file, then links it: the key file appears complete or not at all, and never replaces
 * another key.
 */
export async function createKeyFile(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draftPath = `${path}.${randomUUID()}`;
  try {
    await writeDurably(draftPath, 'wx');
    await link(draftPath, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(draftPath, { force: true });
  }
  await syncDirectory(dirname(path));
}

/** Overwrites and deletes a key file. Some disks keep the old bytes; use an HSM where that matters. */
export async function destroyKeyFile(path: string): Promise<void> {
  if (!(await readKeyFile(path))) return;
  await writeDurably(path, 'r+');
  await rm(path, { force: true });
  await syncDirectory(dirname(path));
}

async function writeDurably(path: string, flag: 'wx' | 'r+'): Promise<void> {
  await using file = await open(path, flag, 0o600);
  await file.writeFile(randomBytes(KEY_BYTES));
  await file.sync();
}
