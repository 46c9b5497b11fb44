import { execFile, execFileSync } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inheritedEnv } from '@florin/dev-env/config/env.ts';
import { makeFolder } from './folders.ts';
import { quantile } from './load.ts';
import { CLIENTS, statements, withReferenceTables } from './reference.ts';

/** Where Debian puts PostgreSQL's programs, which are not all in the search path. */
const DEBIAN = '/usr/lib/postgresql/*/bin/pgbench';

/** Finds PostgreSQL's own benchmark program: in the search path, then the newest of Debian's. */
export function findPgbench(): string | undefined {
  const newestFirst = globSync(DEBIAN).sort((a, b) => majorOf(b) - majorOf(a));
  return ['pgbench', ...newestFirst].find(canRun);
}

/** The program's time includes 64 logins, but its rate does not. */
const CONNECT_SECONDS = 2;

const majorOf = (path: string): number => Number(/postgresql\/(\d+)/.exec(path)?.[1] ?? 0);

function canRun(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Transactions per second of the reference, sent by pgbench. Throws if pgbench is not installed. */
export const measurePgbench = (databaseUrl: string, seconds: number): Promise<number> =>
  withPgbench(databaseUrl, async (run) => parseRate(await run(seconds)));

/**
 * 99th percentile in milliseconds of the reference's transactions at half of their highest rate, which is measured
 * first. Throws if pgbench is not installed.
 */
export const measurePgbenchP99 = (databaseUrl: string, seconds: number): Promise<number> =>
  withPgbench(databaseUrl, async (run, directory) => {
    const rate = parseRate(await run(seconds));
    const log = join(directory, 'transactions');
    await run(seconds, ['--log', `--log-prefix=${log}`, `--rate=${rate / 2}`]);
    const text = globSync(`${log}.*`).map((file) => readFileSync(file, 'utf8'));
    return quantile(parseLatencies(text.join('')), P99);
  });

const P99 = 0.99;

/** Runs the program for some seconds, and returns its report. */
type Run = (seconds: number, options?: readonly string[]) => Promise<string>;

/** Passes the program on the reference's script, and a directory that goes afterwards. */
async function withPgbench(
  databaseUrl: string,
  work: (run: Run, directory: string) => Promise<number>,
): Promise<number> {
  const program = findPgbench();
  if (!program) throw new Error('pgbench is not installed');
  const directory = makeFolder('pgbench');
  const file = join(directory, 'payment.sql');
  writeFileSync(file, SCRIPT);
  const run: Run = (seconds, options = []) =>
    runScript(program, [`--file=${file}`, ...options], databaseUrl, seconds);
  try {
    return await withReferenceTables(databaseUrl, () => work(run, directory));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** The reference's transaction. Here PostgreSQL makes the ids, as pgbench cannot. */
const SCRIPT = [
  'begin',
  statements.payment('gen_random_uuid()', 'gen_random_uuid()', '2500'),
  statements.event('gen_random_uuid()', 'gen_random_uuid()'),
  statements.delivery('gen_random_uuid()', 'gen_random_uuid()'),
  'commit',
]
  .map((statement) => `${statement.replaceAll('\n', ' ')};\n`)
  .join('');

async function runScript(
  program: string,
  ownOptions: readonly string[],
  databaseUrl: string,
  seconds: number,
): Promise<string> {
  const { searchParams, username, password, pathname } = new URL(databaseUrl);
  const env = {
    ...inheritedEnv(),
    PGHOST: searchParams.get('host') ?? '',
    PGPORT: searchParams.get('port') ?? '',
    PGUSER: username,
    PGPASSWORD: password,
    PGDATABASE: pathname.slice(1),
  };
  const whole = String(Math.ceil(seconds) + CONNECT_SECONDS);
  const threads = String(Math.min(CLIENTS, availableParallelism()));
  const options = ['--no-vacuum', '--protocol=prepared', `--client=${CLIENTS}`];
  const { stdout } = await promisify(execFile)(
    program,
    [...options, `--jobs=${threads}`, `--time=${whole}`, ...ownOptions],
    { env },
  );
  return stdout;
}

/** Reads the rate from pgbench's report. Throws if there is none. */
export function parseRate(report: string): number {
  const rate = /^tps = ([\d.]+)/m.exec(report)?.[1];
  if (rate === undefined) throw new Error(`pgbench printed no rate:\n${report}`);
  return Number(rate);
}

const MICROS_PER_MS = 1_000;
/** Column of a line of pgbench's log, of a run with a rate. In microseconds from the time when it was due. */
const TIME_COLUMN = 2;

/** Sorted latencies in milliseconds of pgbench's log, from the time when each transaction was due. */
export const parseLatencies = (log: string): readonly number[] =>
  log
    .trimEnd()
    .split('\n')
    .map((line) => Number(line.split(' ')[TIME_COLUMN]) / MICROS_PER_MS)
    .sort((a, b) => a - b);
