import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import files, { readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { findSecretsKeyFaults } from '@florin/contract/key-files.ts';
import { publishDraft } from '@florin/contract/publish-draft.ts';
import type { Config } from '../../../config/config.ts';
import { parseSecretsKeys } from '../../../config/secrets-keys.ts';
import { SEAL_KEY_BYTES } from '../../../platform/crypto/sealer.ts';
import type { Logger } from '../../../platform/logger.ts';

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

/**
 * Looks for a `secrets.key` that another user could read or replace. Throws an `Error` with the first fault in production,
 * and warns in development.
 */
export function checkSecretsKeyFile(
  {
    data_dir,
    secrets_keys,
    environment,
  }: Pick<Config, 'data_dir' | 'secrets_keys' | 'environment'>,
  logger: Pick<Logger, 'warn'>,
  uid: number | undefined = process.getuid?.(),
): void {
  if (secrets_keys || uid === undefined) return;
  for (const { problem, fix } of findSecretsKeyFaults(fs, resolve(data_dir), uid)) {
    if (environment === 'production') throw new Error(`${problem} ${fix}`);
    logger.warn({ fix }, problem);
  }
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
  try {
    await writeFile(temporaryPath, `${key}\n`, { mode: 0o600, flush: true });
    await publishDraft(files, temporaryPath, path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST')
      throw new Error(
        `${path} cannot be written (${codeOf(error)}). Free some space on its disk, or correct its directory, and start again.`,
        { cause: error },
      );
  } finally {
    await rm(temporaryPath, { force: true });
  }
  return readFile(path, 'utf8');
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;
