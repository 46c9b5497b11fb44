import { statSync } from 'node:fs';
import { PlainFailure } from '../kernel/plain-failure.ts';
import { type BackupTarget, readTarget, stateDirectory } from './backup-target.ts';
import { readShipped } from './rolled-back.ts';

/** Age at which the log of the backup is late. A running Florin ships it each minute. */
const LATE_MS = 10 * 60_000;

/** Sentence about a backup whose log is late; undefined if it is not, or if there is no backup. */
export function lateBackup(dataDir: string, now_ms: number): string | undefined {
  const target = targetOrFault(dataDir);
  if (!target || typeof target === 'string') return target;
  const directory = stateDirectory(dataDir);
  const shipped = readShipped(dataDir);
  if (shipped && 'damaged' in shipped)
    return `${shipped.damaged} is damaged: nobody knows how far the log of the backup reaches.`;
  const last_ms = shipped ? Date.parse(shipped.covers_until) : statSync(directory).mtimeMs;
  if (now_ms - last_ms < LATE_MS) return undefined;
  return `The log of the backup in ${target.directory} ends at ${new Date(last_ms).toISOString()}.`;
}

/** Where backups are kept, or a sentence about a damaged note of that. */
function targetOrFault(dataDir: string): BackupTarget | string | undefined {
  try {
    return readTarget(dataDir);
  } catch (error) {
    if (error instanceof PlainFailure) return error.message;
    throw error;
  }
}
