import { execFile, execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inheritedEnv } from '@florin/dev-env/config/env.ts';
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
export async function measurePgbench(databaseUrl: string, seconds: number): Promise<number> {
  const program = findPgbench();
  if (!program) throw new Error('pgbench is not installed');
  const directory = mkdtempSync(join(tmpdir(), 'florin-pgbench-'));
  const file = join(directory, 'payment.sql');
  writeFileSync(file, SCRIPT);
  try {
    return await withReferenceTables(databaseUrl, () =>
      runScript(program, file, databaseUrl, seconds),
    );
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
  file: string,
  databaseUrl: string,
  seconds: number,
): Promise<number> {
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
    [...options, `--jobs=${threads}`, `--time=${whole}`, `--file=${file}`],
    { env },
  );
  return parseRate(stdout);
}

/** Reads the rate from pgbench's report. Throws if there is none. */
export function parseRate(report: string): number {
  const rate = /^tps = ([\d.]+)/m.exec(report)?.[1];
  if (rate === undefined) throw new Error(`pgbench printed no rate:\n${report}`);
  return Number(rate);
}
