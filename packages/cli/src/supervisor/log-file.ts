import { appendFileSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';

const LOG_FILE_BYTES_MAX = 32 * 1024 ** 2;
export const LOG_FILES_DEFAULT = 7;
const TAIL_CHARS_MAX = 4_096;

/** Log of a child's output. */
export interface Log {
  readonly path: string;
  /** Never throws. Bytes lost to a full disk are counted, and the next line reports them. */
  write(chunk: Buffer | string): void;
  /** The end of this run's output. */
  tail(): string;
}

/**
 * Opens a log that moves to `<path>.1` when it is full, and from there to `<path>.2`, up to `files`. All files together
 * stay bounded.
 */
export function openLogFile(
  path: string,
  files = LOG_FILES_DEFAULT,
  bytes_max = LOG_FILE_BYTES_MAX,
): Log {
  let lost_bytes = 0;
  return createLog(path, (chunk) => {
    try {
      if (sizeOf(path) > bytes_max) rotate(path, files);
      append(path, lost_bytes ? lossOf(lost_bytes) + chunk : chunk);
      lost_bytes = 0;
    } catch {
      lost_bytes += Buffer.byteLength(chunk);
    }
  });
}

/** Opens a log in standard output, for an engine of containers that collects it. */
export const openStandardOutput = (stream: Pick<Writable, 'write'> = process.stdout): Log =>
  createLog('standard output', (chunk) => stream.write(chunk));

function createLog(path: string, store: (chunk: Buffer | string) => void): Log {
  let tail = '';
  return {
    path,
    write(chunk) {
      tail = (tail + chunk).slice(-TAIL_CHARS_MAX);
      store(chunk);
    },
    tail: () => tail,
  };
}

function rotate(path: string, files: number): void {
  rmSync(`${path}.${files}`, { force: true });
  for (let at = files - 1; at >= 0; at--) {
    const source = at === 0 ? path : `${path}.${at}`;
    if (sizeOf(source) > 0) renameSync(source, `${path}.${at + 1}`);
  }
}

/** Creates the directory only where it is missing, because a busy server writes a thousand times a second. */
function append(path: string, chunk: Buffer | string): void {
  try {
    appendFileSync(path, chunk, { mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    appendFileSync(path, chunk, { mode: 0o600 });
  }
}

/** Begins with a new line, because the last write before a full disk may end mid-line. */
const lossOf = (bytes: number): string =>
  `\n${JSON.stringify({ level: 40, event: 'log_lost', bytes })}\n`;

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
