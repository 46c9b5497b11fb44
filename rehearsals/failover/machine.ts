import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitUntil } from '@florin/cli/kernel/poll.ts';
import type { Account } from '@florin/cli/postgres/account.ts';
import { isRunning, processTree, signalAll } from '../support/process-tree.ts';
import { etcdArgs, type Place, patroniConfig } from './config.ts';
import { type Program, startProgram } from './program.ts';

const START_LIMIT_MS = 60_000;
const KILL_LIMIT_MS = 20_000;
const STOP_LIMIT_MS = 40_000;
const ASK_LIMIT_MS = 500;
const COMMAND_LIMIT_MS = 60_000;

/** A database machine: a member of etcd, and PostgreSQL under Patroni. All its processes are on this computer. */
export interface Machine extends AsyncDisposable {
  readonly name: string;
  readonly postgresPort: number;
  startEtcd(): void;
  waitForEtcd(): Promise<void>;
  startPatroni(): Promise<void>;
  /** Kills PostgreSQL with SIGKILL, and leaves Patroni and etcd. */
  killPostgres(): Promise<void>;
  /** Kills all processes with SIGKILL. */
  kill(): Promise<void>;
  /** Stops all processes with SIGSTOP, as a virtual machine that pauses. */
  freeze(): void;
  /** Stops Patroni alone with SIGSTOP. PostgreSQL continues, and nobody watches it. */
  freezePatroni(): void;
  thaw(): void;
  /** Whether Patroni says that this is the leader. Patroni notices an end of PostgreSQL seconds later. */
  isLeader(): Promise<boolean>;
  /** Removes the database and copies it from the leader, as `patronictl reinit`. */
  reinitialise(): Promise<void>;
  /** Hands over to another machine. Throws with Patroni's refusal. */
  switchOver(): Promise<void>;
}

/** Prepares the directory of a machine. Nothing runs yet. */
export function createMachine(
  place: Place,
  places: readonly Place[],
  account: Account | undefined,
): Machine {
  const { name, directory } = place;
  const config = prepareDirectory(place, places, account);
  const program = (title: string, file: string, args: readonly string[], log: string): Program =>
    startProgram({ title: `${title} of ${name}`, file, args, log: join(directory, log), account });
  let etcd: Program | undefined;
  let patroni: Program | undefined;
  const postgresTree = (): number[] => treeOf(postmasterOf(directory));
  const allPids = (): number[] => [
    ...treeOf(patroni?.pid),
    ...postgresTree(),
    ...treeOf(etcd?.pid),
  ];
  const end = async (pids: readonly number[]): Promise<void> => {
    signalAll(pids, 'SIGKILL');
    const hasEnded = () => !pids.some(isRunning);
    if (!(await waitUntil(hasEnded, KILL_LIMIT_MS)))
      throw new Error(`Processes of ${name} run on after SIGKILL.`);
  };
  return {
    name,
    postgresPort: place.postgres,
    startEtcd() {
      etcd = program('etcd', '/usr/bin/etcd', etcdArgs(place, places), 'etcd.log');
    },
    async waitForEtcd() {
      await etcd?.waitForPort(place.etcd_clients, START_LIMIT_MS);
    },
    async startPatroni() {
      patroni = program('Patroni', '/usr/bin/patroni', [config], 'patroni.log');
      await patroni.waitForPort(place.rest, START_LIMIT_MS);
    },
    killPostgres: () => end(postgresTree()),
    kill: () => end(allPids()),
    freeze: () => signalAll(allPids(), 'SIGSTOP'),
    freezePatroni: () => signalAll(patroni ? [patroni.pid] : [], 'SIGSTOP'),
    thaw: () => signalAll(allPids(), 'SIGCONT'),
    isLeader: async () => (await ask(place.rest, '/primary'))?.status === 200,
    reinitialise: () => command(place, 'reinitialize', { force: true }),
    switchOver: () => command(place, 'switchover', { leader: name }),
    async [Symbol.asyncDispose]() {
      signalAll(allPids(), 'SIGCONT');
      await patroni?.[Symbol.asyncDispose]();
      // Patroni stops PostgreSQL. A killed Patroni left it behind.
      if (!(await waitUntil(() => postgresTree().length === 0, STOP_LIMIT_MS)))
        await end(postgresTree());
      await etcd?.[Symbol.asyncDispose]();
    },
  };
}

function prepareDirectory(
  place: Place,
  places: readonly Place[],
  account: Account | undefined,
): string {
  const { directory } = place;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const config = join(directory, 'patroni.yml');
  writeFileSync(config, patroniConfig(place, places), { mode: 0o600 });
  const paths = ['data', 'etcd'].map((name) => join(directory, name));
  for (const path of paths) mkdirSync(path, { mode: 0o700 });
  for (const path of [directory, config, ...paths]) {
    chmodSync(path, path === config ? 0o600 : 0o700);
    if (account) chownSync(path, account.uid, account.gid);
  }
  return config;
}

/** First line of the file with which a running PostgreSQL marks its directory. */
function postmasterOf(directory: string): number | undefined {
  try {
    const [pid] = readFileSync(join(directory, 'data', 'postmaster.pid'), 'utf8').split('\n');
    return Number(pid);
  } catch {
    return undefined;
  }
}

const treeOf = (pid: number | undefined): number[] =>
  pid && isRunning(pid) ? processTree(pid) : [];

async function command({ name, rest }: Place, word: string, body: object): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${rest}/${word}`, {
    method: 'POST',
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(COMMAND_LIMIT_MS),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`Patroni of ${name} refused to ${word}: ${text}`);
}

const ask = (port: number, path: string): Promise<Response | undefined> =>
  fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(ASK_LIMIT_MS) }).catch(
    () => undefined,
  );
