import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncDirectory } from './sync-directory.ts';

/** Suffix of what is being written. Names without it are complete. */
export const PARTIAL = '.partial';

/** Writes a file under a temporary name and renames it last. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const draft = `${path}.${process.pid}${PARTIAL}`;
  try {
    await writeFile(draft, text, { mode: 0o600, flush: true });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncDirectory(dirname(path));
}
