import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders = new Set<string>();

/** Makes a temporary folder for the time of the command. Other users may enter it, as PostgreSQL's must. */
export function makeFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `florin-${name}-`));
  chmodSync(folder, 0o711);
  removeAtEnd(folder);
  return folder;
}

export const removeAtEnd = (folder: string): void => void folders.add(folder);

/** Removes all folders of the command. Prints those that it cannot remove; the exit code is then 1. */
export function removeFolders(): void {
  for (const folder of folders) removeFolder(folder);
}

function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  } catch (error) {
    console.error(`Remove ${folder} by hand: ${(error as Error).message}`);
    process.exitCode = 1;
  }
}
