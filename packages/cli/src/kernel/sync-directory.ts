import { open } from 'node:fs/promises';

/** Resolves once the disk has the names of the directory's files. */
export async function syncDirectory(path: string): Promise<void> {
  await using directory = await open(path, 'r');
  await directory.sync();
}
