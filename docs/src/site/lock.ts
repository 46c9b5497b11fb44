import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 200;

/** Takes a lock file, after waiting for the process that holds it. Ignores a holder that has died. */
export async function takeLock(path: string): Promise<Disposable> {
  mkdirSync(dirname(path), { recursive: true });
  while (!tryTake(path)) {
    if (isHolderAlive(path)) await sleep(POLL_MS);
    else rmSync(path, { force: true });
  }
  return { [Symbol.dispose]: () => rmSync(path, { force: true }) };
}

function tryTake(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** A file without a number was just created: its holder is about to write it. */
function isHolderAlive(path: string): boolean {
  try {
    const pid = Number(readFileSync(path, 'utf8'));
    return pid === 0 || process.kill(pid, 0);
  } catch {
    return false;
  }
}
