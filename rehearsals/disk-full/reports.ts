import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { logDirectory } from '@florin/cli/commands/services.ts';
import type { Processes } from '@florin/dev-env/start-processes.ts';
import { runFlorin } from '../support/command.ts';
import { createLogReader, type LogLine, linesOf } from '../support/log-reader.ts';
import { watchReadiness } from '../support/readiness.ts';

const PROBE_MS = 500;
/** Time of the fault before an operator asks the doctor. */
const OPERATOR_MS = 1_000;

/** Messages that an operator saw during a fault. */
export interface Reports {
  /** States that `/readyz` reported, one for each request. */
  readonly readiness: readonly string[];
  /** Lines that the supervisor printed. */
  readonly printed: readonly string[];
  /** Processes that ended, and that the supervisor started again. */
  readonly restarted: readonly string[];
  /** Problems that `florin doctor` named, or why it named none. */
  readonly doctor: readonly string[];
  /** Errors that say that the disk is full, in the log of PostgreSQL. */
  readonly postgres: readonly string[];
  /** Messages and events of warnings and errors in the logs of the other processes. */
  readonly logs: readonly string[];
}

export interface Recording {
  /** The answer of the doctor, who is asked while the disk is full. */
  readonly doctor: Promise<readonly string[]>;
  end(): Promise<Reports>;
}

/** Records from now on what Florin reports. */
export function recordReports(florin: Processes, cluster: string): Recording {
  const begin = florin.output().length;
  const readPostgres = createLogReader(join(cluster, 'log'));
  const readLogs = createLogReader(logDirectory(florin.dataDir));
  const readiness = watchReadiness([florin.baseUrl], PROBE_MS);
  const doctor = sleep(OPERATOR_MS).then(() => askDoctor(florin));
  return {
    doctor,
    async end() {
      await readiness[Symbol.asyncDispose]();
      const printed = linesOf(florin.output().slice(begin));
      return {
        readiness: readiness.seen.map(({ state }) => state),
        printed,
        restarted: printed.flatMap((line) => /^(.+?) ended /.exec(line)?.[1] ?? []),
        doctor: await doctor,
        postgres: readPostgres().flatMap(fullDiskOf),
        logs: readLogs().flatMap(errorOf),
      };
    },
  };
}

async function askDoctor({ dataDir }: Processes): Promise<string[]> {
  const page = await runFlorin(dataDir, 'doctor').catch((error: Error) => error.message);
  return /^WRONG/m.test(page)
    ? linesOf(page).flatMap((line) => /^ {9}(\w.*)/.exec(line)?.[1] ?? [])
    : linesOf(page);
}

/** Severity and message without numbers of files, which differ each time. */
const fullDiskOf = ({ line }: LogLine): string[] =>
  /No space left/.test(line)
    ? [line.replace(/^.*?\b([A-Z]+): +/, '$1: ').replaceAll(/"[^"]+"|\d+/g, '…')]
    : [];

/** A line of which the full disk took a part has no message. */
function errorOf({ line }: LogLine): string[] {
  const [, message] = /"(?:msg|event)":"([^"]+)"\S*}$/.exec(line) ?? [];
  return /"level":[456]0/.test(line) && message ? [message] : [];
}
