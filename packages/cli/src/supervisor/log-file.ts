import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

export const LOG_FILE_BYTES_MAX = 32 * 1024 ** 2;
const TAIL_CHARS_MAX = 4_096;

/** Log of a child's output. */
export interface Log {
  readonly path: string;
  /** Never throws. Bytes lost to a full disk are counted, and the next line reports them. */
  write(chunk: Buffer | string): void;
  /** The end of this run's output. */
  tail(): string;
}

/** Opens a log that moves to `<path>.1` when it is full. Both files together stay bounded. */
export function openLogFile(path: string): Log {
  let lost_bytes = 0;
  let tail = '';
  return {
    path,
    write(chunk) {
      tail = (tail + chunk).slice(-TAIL_CHARS_MAX);
      try {
        append(path, lost_bytes ? lossOf(lost_bytes) + chunk : chunk);
        lost_bytes = 0;
      } catch {
        lost_bytes += Buffer.byteLength(chunk);
      }
    },
    tail: () => tail,
  };
}

function append(path: string, chunk: Buffer | string): void {
  if (sizeOf(path) > LOG_FILE_BYTES_MAX) renameSync(path, `${path}.1`);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  appendFileSync(path, chunk, { mode: 0o600 });
}

/** Begins with a new line, because the last write before a full disk may end mid-line. */
const lossOf = (bytes: number): string =>
  `\n${JSON.stringify({ level: 40, event: 'log_lost', bytes })}\n`;

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
