import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { StartupError } from '../kernel/errors.ts';
import type { Db } from '../store/db.ts';
import { KEY_BYTES } from './aead.ts';
import { type Kms, localKms } from './kms.ts';

const CHECK_CONTEXT = 'root-key-check';
const CHECK_PLAIN = Buffer.from('florin vault');

/**
 * The KMS of `root.key` in `dataDir`. The file is made at the first start only: once the database
 * knows a root key, a missing or other file is a `StartupError`.
 */
export async function openFileKms(dataDir: string, db: Db): Promise<Kms> {
  const path = join(dataDir, 'root.key');
  const known = await checkValue(db);
  const existing = await readKey(path);
  if (known && !existing) {
    throw new StartupError(
      `The root key ${path} is missing, and the stored cards cannot be read without it: restore the file from its backup.`,
    );
  }
  const kms = localKms(existing ?? (await createKey(dataDir, path)));
  await proveKey(kms, known ?? (await recordCheckValue(kms, db)), path);
  return kms;
}

async function checkValue(db: Db): Promise<Buffer | undefined> {
  const [row] = await db.query<{ check_value: Buffer }>('select check_value from vault.root_key');
  return row?.check_value;
}

/** Of two vaults that start first at once, the first to insert decides which root key counts. */
async function recordCheckValue(kms: Kms, db: Db): Promise<Buffer> {
  const mine = await kms.wrap(CHECK_PLAIN, CHECK_CONTEXT);
  await db.query('insert into vault.root_key (check_value) values ($1) on conflict do nothing', [
    mine,
  ]);
  return (await checkValue(db)) ?? mine;
}

async function proveKey(kms: Kms, value: Buffer, path: string): Promise<void> {
  await kms.unwrap(value, CHECK_CONTEXT).catch((cause: unknown) => {
    throw new StartupError(
      `The root key ${path} is not the one that the stored cards were sealed with: restore the right file from its backup.`,
      { cause },
    );
  });
}

async function readKey(path: string): Promise<Buffer | undefined> {
  const key = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new StartupError(`The root key ${path} cannot be read (${error.code}).`, {
      cause: error,
    });
  });
  if (key && key.length !== KEY_BYTES) {
    throw new StartupError(
      `The root key ${path} must hold ${KEY_BYTES} bytes and holds ${key.length}: restore it from its backup.`,
    );
  }
  return key;
}

/** Writes under another name, then links: the file appears whole or not at all, and never over another. */
async function createKey(dataDir: string, path: string): Promise<Buffer> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeDurably(draft, randomBytes(KEY_BYTES));
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  await syncDirectory(dataDir);
  return readFile(path);
}

async function writeDurably(path: string, bytes: Buffer): Promise<void> {
  await using file = await open(path, 'wx', 0o600);
  await file.writeFile(bytes);
  await file.sync();
}

async function syncDirectory(path: string): Promise<void> {
  await using directory = await open(path, 'r');
  await directory.sync();
}
