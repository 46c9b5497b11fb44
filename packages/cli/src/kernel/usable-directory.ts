import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { PlainFailure } from './plain-failure.ts';

const { R_OK, W_OK, X_OK } = constants;

/** Whether this user can use a directory, or create it in the nearest directory above that exists. */
export function isUsable(directory: string): boolean {
  try {
    accessSync(directory, R_OK | W_OK | X_OK);
    return statSync(directory).isDirectory();
  } catch (error) {
    const above = dirname(directory);
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' && above !== directory && isUsable(above);
  }
}

/** Throws `PlainFailure` for a directory that this user can neither use nor create. */
export function requireUsable(directory: string): void {
  if (isUsable(directory)) return;
  throw new PlainFailure(
    `This user cannot write to the directory ${directory}. Create it as root: install -d -o ${process.getuid?.()} -m 700 ${directory}`,
  );
}
