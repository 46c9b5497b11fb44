import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** A path without symbolic links. Parts at its end that do not exist stay as they are. */
export function realPath(path: string): string {
  const absolute = resolve(path);
  try {
    return realpathSync(absolute);
  } catch (error) {
    const parent = dirname(absolute);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === absolute) return absolute;
    return join(realPath(parent), basename(absolute));
  }
}
