import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { waitUntil } from '../kernel/poll.ts';
import { identityOf } from '../kernel/process-identity.ts';

interface RecordedChild {
  readonly pid: number;
  readonly identity: string;
}

/** Time that children have to end after their supervisor was killed. */
const EXIT_LIMIT_MS = 3_000;

/**
 * Records a supervisor's child processes in a file, for the start after a `kill -9`. On a full disk only the record
 * is lost: children end without their supervisor.
 */
export function createChildRecorder(path: string): (pid: number) => void {
  let recorded: RecordedChild[] = [];
  return (pid) => {
    recorded = recorded.filter(isLive);
    const identity = identityOf(pid);
    if (identity) recorded.push({ pid, identity });
    try {
      writeFileSync(`${path}.new`, JSON.stringify(recorded));
      renameSync(`${path}.new`, path);
    } catch {}
  };
}

/** Waits for the children of a killed supervisor and ends those that remain. */
export async function clearLeftovers(path: string): Promise<void> {
  const recorded = readRecorded(path);
  await waitUntil(() => !recorded.some(isLive), EXIT_LIMIT_MS);
  for (const { pid } of recorded.filter(isLive)) process.kill(pid, 'SIGKILL');
  await waitUntil(() => !recorded.some(isLive), EXIT_LIMIT_MS);
}

const isLive = ({ pid, identity }: RecordedChild): boolean => identityOf(pid) === identity;

function readRecorded(path: string): RecordedChild[] {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as RecordedChild[];
  } catch {
    return [];
  }
}
