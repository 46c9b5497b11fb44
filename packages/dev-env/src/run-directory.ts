import { statfsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux keeps these files in memory. */
const IN_MEMORY = '/dev/shm';
/** Bytes that must be free there and in memory: several times the need of a run. */
const LEAST_FREE = 3 * 1024 ** 3;

/**
 * Creates the directory of a run, in memory if there is plenty. Each stack has a database of eight hundred files,
 * and the simulated network syncs its books with every answer.
 */
export const makeRunDirectory = (): Promise<string> =>
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
