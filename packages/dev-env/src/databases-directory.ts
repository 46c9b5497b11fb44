import { statfsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where Linux has files in memory. */
const IN_MEMORY = '/dev/shm';
/** Bytes that are free there and in the machine: several times what the databases of a run take at once. */
const LEAST_FREE = 3 * 1024 ** 3;

/**
 * Makes the directory for the databases of a run: in memory where there is plenty, since each test file makes and drops
 * a database of eight hundred files, which takes a disk ten times as long.
 */
export const makeDatabasesDirectory = (): Promise<string> =>
  mkdtemp(join(hasPlentyOfMemory() ? IN_MEMORY : tmpdir(), 'florin-'));

function hasPlentyOfMemory(): boolean {
  if (freemem() < LEAST_FREE) return false;
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= LEAST_FREE;
  } catch {
    return false;
  }
}
