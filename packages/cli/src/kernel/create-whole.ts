import { randomUUID } from 'node:crypto';
import { constants, copyFile, link, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from '../database/client.ts';
import { syncDirectory } from './sync-directory.ts';

/**
 * Creates a file that only its owner reads: with all of its text, or not at all. Rejects with the code EEXIST for a name
 * that is taken, and leaves nothing on a full disk.
 */
export async function createWhole(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, text, { mode: 0o600, flush: true });
    await link(draft, path).catch((error: unknown) => {
      if (codeOf(error) === 'EEXIST') throw error;
      // Some file systems have no hard links.
      return copyFile(draft, path, constants.COPYFILE_EXCL);
    });
  } finally {
    await rm(draft, { force: true });
  }
  await syncDirectory(dirname(path));
}
