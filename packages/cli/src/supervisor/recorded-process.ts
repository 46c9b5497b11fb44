import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { identityOf } from '../kernel/process-identity.ts';

/** A process that a file of a data directory records. */
export interface RecordedProcess {
  readonly pid: number;
  readonly identity: string;
  /** Directory of the file. Earlier versions did not record it. */
  readonly directory?: string;
}

/** Record of a running process for the file `path`. The process may have ended: then it has no identity. */
export const recordOf = (pid: number, path: string): RecordedProcess => ({
  pid,
  identity: identityOf(pid) ?? '',
  directory: directoryOf(path),
});

/** Whether a process that the file `path` records still runs. The records in a copied directory count as ended. */
export const isLive = ({ pid, identity, directory }: RecordedProcess, path: string): boolean =>
  (directory === undefined || directory === directoryOf(path)) && identityOf(pid) === identity;

const directoryOf = (path: string): string => realpathSync(dirname(path));
