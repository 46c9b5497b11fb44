import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { logDirectory } from '@florin/cli/commands/services.ts';
import type { Processes } from '@florin/dev-env/start-processes.ts';
import { runFlorin } from '../support/command.ts';

const POLL_MS = 500;
const ANSWER_LIMIT_MS = 5_000;
/** Time of the fault before an operator asks the doctor. */
const OPERATOR_MS = 1_000;

/** Messages that an operator saw during a fault. */
export interface Said {
  /** Answers of `/readyz`, one for each time that it was asked. */
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

export interface Listening {
  /** The answer of the doctor, who is asked while the disk is full. */
  readonly doctor: Promise<readonly string[]>;
  end(): Promise<Said>;
}

/** Notes from now on what Florin says. */
export function listen(florin: Processes, cluster: string): Listening {
  const begin = florin.output().length;
  const postgresLog = () => readAll(join(cluster, 'log'));
  const logs = () => readAll(logDirectory(florin.dataDir));
  const [postgresBegin, logsBegin] = [postgresLog(), logs()];
  const readiness: string[] = [];
  let isOver = false;
  const polling = (async () => {
    while (!isOver) {
      readiness.push(await readReadiness(florin));
      await sleep(POLL_MS);
    }
  })();
  const doctor = sleep(OPERATOR_MS).then(() => askDoctor(florin));
  return {
    doctor,
    async end() {
      isOver = true;
      await polling;
      const printed = linesOf(florin.output().slice(begin));
      return {
        readiness,
        printed,
        restarted: printed.flatMap((line) => /^(.+?) ended /.exec(line)?.[1] ?? []),
        doctor: await doctor,
        postgres: newLines(postgresBegin, postgresLog()).flatMap(fullDiskOf),
        logs: newLines(logsBegin, logs()).flatMap(errorOf),
      };
    },
  };
}

async function readReadiness({ baseUrl }: Processes): Promise<string> {
  try {
    const signal = AbortSignal.timeout(ANSWER_LIMIT_MS);
    const response = await fetch(`${baseUrl}/readyz`, { signal });
    const { database_fault, vault } = (await response.json()) as Readonly<Record<string, unknown>>;
    const reasons = [database_fault, vault === 'ok' ? undefined : vault].filter(Boolean);
    return [response.status, ...reasons].join(' ');
  } catch {
    return 'no answer';
  }
}

async function askDoctor({ dataDir }: Processes): Promise<string[]> {
  const page = await runFlorin(dataDir, 'doctor').catch((error: Error) => error.message);
  return /^WRONG/m.test(page)
    ? linesOf(page).flatMap((line) => /^ {9}(\w.*)/.exec(line)?.[1] ?? [])
    : linesOf(page);
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

/** Files of a directory by name. */
const readAll = (directory: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(directory).map((name) => [name, readFileSync(join(directory, name), 'utf8')]),
  );

const newLines = (
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string[] =>
  [...after].flatMap(([name, text]) => linesOf(text.slice(before.get(name)?.length ?? 0)));

/** Severity and message without numbers of files, which differ each time. */
const fullDiskOf = (line: string): string[] =>
  /No space left/.test(line)
    ? [line.replace(/^.*?\b([A-Z]+): +/, '$1: ').replaceAll(/"[^"]+"|\d+/g, '…')]
    : [];

/** A line of which the full disk took a part has no message. */
function errorOf(line: string): string[] {
  const [, message] = /"(?:msg|event)":"([^"]+)"\S*}$/.exec(line) ?? [];
  return /"level":[456]0/.test(line) && message ? [message] : [];
}
