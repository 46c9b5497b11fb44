import { statfsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Directory whose files Linux stores in memory. */
const IN_MEMORY = '/dev/shm';
/** Bytes that must be free in this directory and in memory: several times the need of a run. */
const FREE_BYTES_MIN = 3 * 1024 ** 3;

/**
 * Creates the directory of a run, in memory if enough is free. Each stack has a database of eight hundred files, and
 * the simulated network syncs its ledger with every response.
 */
export const makeRunDirectory = (): Promise<string> =>
  mkdtemp(join(hasPlentyOfMemory() ? IN_MEMORY : tmpdir(), 'florin-'));

function hasPlentyOfMemory(): boolean {
  if (freemem() < FREE_BYTES_MIN) return false;
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= FREE_BYTES_MIN;
  } catch {
    return false;
  }
}
