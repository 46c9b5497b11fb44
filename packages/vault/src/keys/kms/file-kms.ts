import { hkdfSync, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { aadOf, KEY_BYTES, openBytes, sealBytes } from '../aead.ts';
import { createKeyFile, destroyKeyFile, readKeyFile } from './key-file.ts';
import type { Kms } from './kms.ts';

const FINGERPRINT_BYTES = 8;
const FIRST_KEY_NAME = 'root.key';
const LATER_KEY_NAME = /^root-(\d+)\.key$/;

/** Root keys as files in `dataDir`, one per version, readable only by their owner. */
export function createFileKms(dataDir: string): Kms {
  const keys = new Map<number, Buffer>();
  const pathOf = (version: number): string =>
    join(dataDir, version === 1 ? FIRST_KEY_NAME : `root-${version}.key`);

  async function loadKey(version: number): Promise<Buffer> {
    const key = keys.get(version) ?? (await readKeyFile(pathOf(version)));
    if (!key) throw new Error(`There is no version ${version} of the root key.`);
    keys.set(version, key);
    return key;
  }

  async function wrap(version: number, key: Buffer, context: string): Promise<Buffer> {
    return sealBytes(await loadKey(version), key, aadOf(context));
  }

  return {
    wrap,
    nameOf: pathOf,
    async unwrap(version, wrapped, context) {
      try {
        return openBytes(await loadKey(version), wrapped, aadOf(context));
      } catch (error) {
        // Drops a wrong key from memory, because the operator may replace its file with the right one.
        keys.delete(version);
        throw error;
      }
    },
    fingerprintOf: async (version) => fingerprintOf(await loadKey(version)),
    describe: async () => ({ provider: 'file', versions: await listVersions(dataDir) }),
    createVersion: (version) => createKeyFile(pathOf(version)),
    async generate(version, context) {
      const key = randomBytes(KEY_BYTES);
      return { key, wrapped: await wrap(version, key, context) };
    },
    async destroyVersion(version) {
      await destroyKeyFile(pathOf(version));
      keys.get(version)?.fill(0);
      keys.delete(version);
    },
    async [Symbol.asyncDispose]() {
      for (const key of keys.values()) key.fill(0);
      keys.clear();
    },
  };
}

const fingerprintOf = (key: Buffer): string =>
  Buffer.from(
    hkdfSync('sha256', key, '', 'florin root key fingerprint', FINGERPRINT_BYTES),
  ).toString('hex');

async function listVersions(dataDir: string): Promise<number[]> {
  const fileNames = await readdir(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return fileNames
    .map((name) => (name === FIRST_KEY_NAME ? 1 : Number(LATER_KEY_NAME.exec(name)?.[1] ?? 0)))
    .filter((version) => version > 0)
    .sort((a, b) => a - b);
}
