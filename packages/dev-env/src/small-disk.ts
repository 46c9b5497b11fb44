import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A small file system that a test can fill. */
export interface SmallDisk extends Disposable {
  readonly directory: string;
  /** Takes all space that is left. */
  fill(): void;
  /** Gives the space back. */
  free(): void;
}

const PAGE = Buffer.alloc(4096);

interface Size {
  /** As tmpfs reads it; default: 64 KiB. */
  readonly size?: string;
  /** `711` lets the user of a database pass; default: nobody else may. */
  readonly mode?: '700' | '711';
}

/**
 * Mounts a small file system below `parent`; default: the directory of the run, which other users cannot enter.
 * Undefined where this user may not mount one, as only root may.
 */
export function mountSmallDisk(
  parent = tmpdir(),
  { size = '64k', mode = '700' }: Size = {},
): SmallDisk | undefined {
  const directory = mkdtempSync(join(parent, 'florin-disk-'));
  const options = ['-t', 'tmpfs', '-o', `size=${size},mode=${mode}`, 'tmpfs', directory];
  if (process.getuid?.() !== 0 || spawnSync('mount', options).status !== 0) {
    rmSync(directory, { recursive: true });
    return undefined;
  }
  const filler = join(directory, 'filler');
  return {
    directory,
    fill: () => writeUntilFull(filler),
    free: () => rmSync(filler, { force: true }),
    [Symbol.dispose]() {
      // Lazily: an open file of a failed test must not keep the directory.
      spawnSync('umount', ['--lazy', directory]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function writeUntilFull(path: string): void {
  const file = openSync(path, 'a');
  try {
    for (;;) writeSync(file, PAGE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(file);
  }
}
