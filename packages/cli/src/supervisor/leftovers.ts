import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { waitUntil } from '../kernel/poll.ts';
import { isLive, type RecordedProcess, recordOf } from './recorded-process.ts';

/** Time that children have to end after their supervisor was killed. */
const EXIT_LIMIT_MS = 3_000;

/**
 * Records a supervisor's child processes in a file, for the start after a `kill -9`. On a full disk only the record
 * is lost: children end without their supervisor.
 */
export function createChildRecorder(path: string): (pid: number) => void {
  let recorded: RecordedProcess[] = [];
  return (pid) => {
    try {
      recorded = [...recorded, recordOf(pid, path)].filter((child) => isLive(child, path));
      writeFileSync(`${path}.new`, JSON.stringify(recorded));
      renameSync(`${path}.new`, path);
    } catch {}
  };
}

/** Waits for the children of a killed supervisor and ends those that remain. */
export async function clearLeftovers(path: string): Promise<void> {
  const recorded = readRecorded(path);
  const liveChildren = () => recorded.filter((child) => isLive(child, path));
  const haveEnded = () => liveChildren().length === 0;
  await waitUntil(haveEnded, EXIT_LIMIT_MS);
  for (const { pid } of liveChildren()) process.kill(pid, 'SIGKILL');
  await waitUntil(haveEnded, EXIT_LIMIT_MS);
}

function readRecorded(path: string): RecordedProcess[] {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as RecordedProcess[];
  } catch {
    return [];
  }
}
