import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

export const LOG_FILE_BYTES_MAX = 32 * 1024 ** 2;
const TAIL_CHARS_MAX = 4_096;

/** Where one child's output goes. */
export interface Log {
  readonly path: string;
  write(chunk: Buffer | string): void;
  /** The end of what was written in this run. */
  tail(): string;
}

/** A file that is put aside as `<path>.1` when it is full, so that the two together stay bounded. */
export function openLogFile(path: string): Log {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  let size = sizeOf(path);
  let tail = '';
  return {
    path,
    write(chunk) {
      if (size > LOG_FILE_BYTES_MAX) {
        renameSync(path, `${path}.1`);
        size = 0;
      }
      appendFileSync(path, chunk, { mode: 0o600 });
      size += chunk.length;
      tail = (tail + chunk).slice(-TAIL_CHARS_MAX);
    },
    tail: () => tail,
  };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
