import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PlainFailure } from '../kernel/plain-failure.ts';
import { isLive, type RecordedProcess, recordOf } from './recorded-process.ts';

/** Exclusive use of a data directory by one Florin. */
export interface Lock extends Disposable {
  /** Signals to a waiting start that this Florin ends soon. Never throws: a full disk must not prevent the stop. */
  markStopping(): void;
}

interface Holder extends RecordedProcess {
  readonly stopping: boolean;
}

/** Wait for a Florin that has not noticed yet that its parent was killed. */
const NOTICE_LIMIT_MS = 2_000;
const STOPPING_LIMIT_MS = 40_000;
const POLL_MS = 100;
const LOCK_NAME = 'florin.lock';

/**
 * Takes the data directory's lock, after waiting for a stopping Florin. Ignores dead holders. Throws `PlainFailure`
 * if another Florin is running.
 */
export async function takeLock(dataDir: string): Promise<Lock> {
  makeDirectory(dataDir);
  const path = join(dataDir, LOCK_NAME);
  const startedAt = performance.now();
  for (;;) {
    if (tryTake(path)) return createLock(path);
    const holder = readHolder(path);
    if (!holder || !isLive(holder, path)) {
      moveStaleLock(path, holder);
      continue;
    }
    const limit_ms = holder.stopping ? STOPPING_LIMIT_MS : NOTICE_LIMIT_MS;
    if (performance.now() - startedAt > limit_ms) throw directoryInUse(dataDir, holder);
    await sleep(POLL_MS);
  }
}

/** Whether a running Florin holds the lock of the data directory. */
export function isHeld(dataDir: string): boolean {
  const path = join(dataDir, LOCK_NAME);
  const holder = readHolder(path);
  return holder !== undefined && isLive(holder, path);
}

/** Directory of the locks of processes that share the data directory. */
export const processesDirectory = (dataDir: string): string => join(dataDir, 'processes');

/** Whether a Florin, or one of several processes, runs with the data directory. */
export function isAnyHeld(dataDir: string): boolean {
  const directory = processesDirectory(dataDir);
  const names = existsSync(directory) ? readdirSync(directory) : [];
  return [dataDir, ...names.map((name) => join(directory, name))].some(isHeld);
}

function makeDirectory(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new PlainFailure(
      `The data directory ${dataDir} cannot be created (${code}). Set FLORIN_DATA to a directory that exists or can be created.`,
    );
  }
}

const directoryInUse = (dataDir: string, { pid }: Holder): PlainFailure =>
  new PlainFailure(
    `Another Florin (process ${pid}) uses the data directory ${dataDir}. Stop it first, or set FLORIN_DATA to another directory.`,
  );

function createLock(path: string): Lock {
  return {
    markStopping() {
      try {
        writeHolder(path, true);
      } catch {}
    },
    [Symbol.dispose]: () => rmSync(path, { force: true }),
  };
}

function writeHolder(path: string, stopping: boolean): void {
  const holder: Holder = { ...recordOf(process.pid, path), stopping };
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(holder));
  renameSync(draft, path);
}

/** A hard link appears with its full content, and fails if the lock exists. */
function tryTake(path: string): boolean {
  const draft = `${path}.${process.pid}.draft`;
  writeHolder(draft, false);
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function readHolder(path: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}

/**
 * Several starts may find a dead holder, and one of them moves its file. A start that moved a live lock puts it back.
 */
function moveStaleLock(path: string, deadHolder: Holder | undefined): void {
  const movedPath = `${path}.${process.pid}.old`;
  try {
    renameSync(path, movedPath);
  } catch {
    return;
  }
  const movedHolder = readHolder(movedPath);
  if (movedHolder && movedHolder.identity !== deadHolder?.identity) linkSync(movedPath, path);
  rmSync(movedPath, { force: true });
}
