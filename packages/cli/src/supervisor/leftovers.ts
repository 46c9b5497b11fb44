import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { waitUntil } from '../kernel/poll.ts';
import { identityOf } from '../kernel/process-identity.ts';

interface Noted {
  readonly pid: number;
  readonly identity: string;
}

/** Children end on their own when their supervisor is killed; this is their time limit. */
const LEAVE_LIMIT_MS = 3_000;

/**
 * Records a supervisor's child processes in a file, for the start after a `kill -9`. A full disk loses only the record:
 * children end on their own when their supervisor is gone.
 */
export function createChildNotes(path: string): (pid: number) => void {
  let noted: Noted[] = [];
  return (pid) => {
    noted = noted.filter(isLive);
    const identity = identityOf(pid);
    if (identity) noted.push({ pid, identity });
    try {
      writeFileSync(`${path}.new`, JSON.stringify(noted));
      renameSync(`${path}.new`, path);
    } catch {}
  };
}

/** Waits for the children of a killed supervisor and ends those that remain. */
export async function clearLeftovers(path: string): Promise<void> {
  const noted = readNotes(path);
  await waitUntil(() => !noted.some(isLive), LEAVE_LIMIT_MS);
  for (const { pid } of noted.filter(isLive)) process.kill(pid, 'SIGKILL');
  await waitUntil(() => !noted.some(isLive), LEAVE_LIMIT_MS);
}

const isLive = ({ pid, identity }: Noted): boolean => identityOf(pid) === identity;

function readNotes(path: string): Noted[] {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Noted[];
  } catch {
    return [];
  }
}
