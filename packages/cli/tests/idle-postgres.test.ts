import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { withClient } from '../src/database/client.ts';
import { type Postgres, startPostgres } from '../src/postgres/start-postgres.ts';
import { postgresService } from '../src/supervisor/postgres-service.ts';
import { createStack } from '../src/supervisor/stack.ts';
import { temporaryDirectory } from './support.ts';

const LIMIT_MS = 60_000;

const postmasterPid = ({ directory }: Postgres): number =>
  Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0]);

const pidOf = (parent: number, title: string): number =>
  Number(execFileSync('pgrep', ['-P', `${parent}`, '-f', title], { encoding: 'utf8' }));

it('a PostgreSQL that neither serves nor recovers is ended, started again, and has its data', {
  timeout: 2 * LIMIT_MS,
}, async () => {
  const dataDir = temporaryDirectory();
  const printed: string[] = [];
  const runs: Postgres[] = [];
  const print = (sentence: string) => printed.push(sentence);
  const stack = createStack({
    print,
    fail: ({ message }) => printed.push(message),
    diskFull: () => false,
  });
  onTestFinished(() => stack.stop());
  const start = async () => {
    const postgres = await startPostgres({ dataDir });
    runs.push(postgres);
    return postgres;
  };
  await stack.start(postgresService({ start, print, idle_limit_ms: 2_000 }));
  const [first] = runs;
  await withClient(first!.url('postgres'), (client) =>
    client.query('create table kept as select 42 as n'),
  );
  expect(first!.isIdle()).toBe(false);

  // A frozen server starts no other writer of the log.
  const pid = postmasterPid(first!);
  process.kill(pid, 'SIGSTOP');
  process.kill(pidOf(pid, 'walwriter'), 'SIGKILL');
  await vi.waitFor(() => expect(printed).toHaveLength(1), LIMIT_MS);
  process.kill(pid, 'SIGCONT');

  await vi.waitFor(() => expect(runs).toHaveLength(2), LIMIT_MS);
  expect(printed).toEqual([
    'PostgreSQL runs, but has neither served nor recovered for 2 seconds; ending it.',
    'PostgreSQL ended unexpectedly; restarting it.',
  ]);
  const { rows } = await withClient(runs[1]!.url('postgres'), (client) =>
    client.query('select n from kept'),
  );
  expect(rows).toEqual([{ n: 42 }]);
});

it('a PostgreSQL that stops is not idle, however long its last checkpoint takes', {
  timeout: LIMIT_MS,
}, async () => {
  const postgres = await startPostgres({ dataDir: temporaryDirectory() });
  onTestFinished(() => postgres.abort());
  const pid = postmasterPid(postgres);
  const checkpointer = pidOf(pid, 'checkpointer');
  process.kill(checkpointer, 'SIGSTOP');
  process.kill(pid, 'SIGINT');
  await vi.waitFor(() => expect(() => pidOf(pid, 'walwriter')).toThrow(), LIMIT_MS);
  expect([postgres.isAlive(), postgres.isIdle()]).toEqual([true, false]);
  process.kill(checkpointer, 'SIGCONT');
  await vi.waitFor(() => expect(postgres.isAlive()).toBe(false), LIMIT_MS);
});
