import { randomBytes } from 'node:crypto';
import { constants, copyFile, link, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseSecretsKeys } from '../../../config/secrets-keys.ts';
import { SEAL_KEY_BYTES } from '../../../platform/crypto/sealer.ts';

/** Path of the file with the sealing keys. */
export const secretsKeysPath = (data_dir: string): string => join(data_dir, 'secrets.key');

/**
 * Reads the sealing keys from `secrets.key` in the data directory; undefined without the file.
 * Throws an `Error` with a readable message for other content.
 */
export async function readSecretsKeys(data_dir: string): Promise<readonly Buffer[] | undefined> {
  const path = secretsKeysPath(data_dir);
  const text = await readIfThere(path);
  return text === undefined ? undefined : keysOf(path, text);
}

/** Reads `secrets.key`, or creates it. Throws like `readSecretsKeys`. */
export async function ensureSecretsKeys(data_dir: string): Promise<readonly Buffer[]> {
  const path = secretsKeysPath(data_dir);
  return keysOf(path, (await readIfThere(path)) ?? (await makeFile(path)));
}

function keysOf(path: string, text: string): readonly Buffer[] {
  const keys = parseSecretsKeys(text);
  if (keys) return keys;
  throw new Error(
    `${path} must hold keys of ${SEAL_KEY_BYTES} bytes in base64, one a line. Put the file back from your backup.`,
  );
}

const readIfThere = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new Error(`${path} cannot be read (${error.code}).`);
  });

/**
 * Creates the file atomically, also across a power failure, readable by its owner only.
 * Concurrent starts create one file.
 */
async function makeFile(path: string): Promise<string> {
  const temporaryPath = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const key = randomBytes(SEAL_KEY_BYTES).toString('base64');
  await writeFile(temporaryPath, `${key}\n`, { mode: 0o600, flush: true });
  try {
    await link(temporaryPath, path).catch((error) =>
      copyWithoutHardLinks(error, temporaryPath, path),
    );
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    await unlink(temporaryPath);
  }
  return readFile(path, 'utf8');
}

/** Copies the file where the file system has no hard links. */
function copyWithoutHardLinks(error: unknown, temporaryPath: string, path: string): Promise<void> {
  if (codeOf(error) === 'EEXIST') throw error;
  return copyFile(temporaryPath, path, constants.COPYFILE_EXCL);
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;
