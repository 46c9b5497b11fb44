import { chmodSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '@florin/cli/database/client.ts';
import { databaseAccount } from '@florin/cli/postgres/account.ts';
import { freePorts } from '../support/cluster.ts';
import { disposeOnSignal, makeDirectory, removeDirectory } from '../support/environment.ts';
import { requirePackages } from '../support/packages.ts';
import { haproxyConfig, type Place, SUPERUSER_PASSWORD } from './config.ts';
import { createMachine, type Machine } from './machine.ts';
import { startProgram } from './program.ts';

const NAMES = ['db1', 'db2', 'db3'];
const PACKAGES = {
  'postgresql-15': '/usr/lib/postgresql/15/bin/postgres',
  patroni: '/usr/bin/patroni',
  'etcd-server': '/usr/bin/etcd',
  haproxy: '/usr/sbin/haproxy',
};
const HAPROXY_LIMIT_MS = 20_000;
/** Longest wait until all machines work: crash recovery, pg_rewind and a copy of the database fit into it. */
const COMPLETE_LIMIT_MS = 240_000;
/** Time in which a machine has to return by itself. */
const RETURN_LIMIT_MS = 90_000;
const LEADER_LIMIT_MS = 90_000;
const POLL_MS = 200;

/** Three database machines under Patroni, and HAProxy in front. */
export interface HighAvailability extends AsyncDisposable {
  readonly directory: string;
  readonly machines: readonly Machine[];
  /** Superuser's address of the leader, through HAProxy. */
  readonly url: string;
  /** Changes an address through HAProxy to one that names all machines. */
  withHosts(url: string): string;
  /** Waits for a leader other than `except`. */
  leader(except?: Machine): Promise<Machine>;
  /** The standby whose confirmation commits wait for. */
  synchronousStandby(): Promise<Machine>;
  /**
   * Waits until each machine works: a leader, and two standbys that follow it, one of them synchronously. Resolves with
   * the names of those that did not return by themselves.
   */
  complete(): Promise<readonly string[]>;
}

/** Starts the database machines. Disposal ends all their processes, and removes their directories except with `keep`. */
export async function startHighAvailability(keep: boolean): Promise<HighAvailability> {
  requirePackages(PACKAGES);
  await using cleanup = new AsyncDisposableStack();
  const directory = await makeDirectory();
  cleanup.defer(() =>
    keep ? console.log(`Logs and data are in ${directory}.`) : removeDirectory(directory),
  );
  // The user of PostgreSQL enters the directory of its machine.
  chmodSync(directory, 0o711);
  const [port = 0, ...ports] = await freePorts(1 + 4 * NAMES.length);
  const places = NAMES.map((name, at) => placeOf(name, directory, ports.slice(4 * at)));
  const account = databaseAccount();
  const machines = places.map((place) => cleanup.use(createMachine(place, places, account)));
  await startHaproxy(cleanup, { directory, port, places });
  for (const machine of machines) machine.startEtcd();
  await Promise.all(machines.map((machine) => machine.waitForEtcd()));
  await Promise.all(machines.map((machine) => machine.startPatroni()));
  const running = cleanup.move();
  disposeOnSignal(() => running.disposeAsync());
  const url = `postgresql://postgres:${SUPERUSER_PASSWORD}@127.0.0.1:${port}/postgres`;
  const hosts = places.map(({ postgres }) => `127.0.0.1:${postgres}`).join(',');
  return {
    directory,
    machines,
    url,
    withHosts: (address) => address.replace(`127.0.0.1:${port}`, hosts),
    leader: (except) => waitForLeader(machines, except),
    synchronousStandby: () => findSynchronous(url, machines),
    complete: () => waitUntilComplete(url, machines),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

const placeOf = (
  name: string,
  directory: string,
  [postgres = 0, rest = 0, etcd_clients = 0, etcd_peers = 0]: readonly number[],
): Place => ({
  name,
  directory: join(directory, name),
  postgres,
  rest,
  etcd_clients,
  etcd_peers,
});

interface Front {
  readonly directory: string;
  readonly port: number;
  readonly places: readonly Place[];
}

async function startHaproxy(cleanup: AsyncDisposableStack, { directory, port, places }: Front) {
  const own = join(directory, 'haproxy');
  await mkdir(own);
  const config = join(own, 'haproxy.cfg');
  await writeFile(config, haproxyConfig(port, places));
  const haproxy = startProgram({
    title: 'HAProxy',
    file: PACKAGES.haproxy,
    args: ['-db', '-f', config],
    log: join(own, 'haproxy.log'),
    account: databaseAccount(),
  });
  cleanup.use(haproxy);
  await haproxy.waitForPort(port, HAPROXY_LIMIT_MS);
}

async function waitForLeader(machines: readonly Machine[], except?: Machine): Promise<Machine> {
  const deadline = performance.now() + LEADER_LIMIT_MS;
  for (;;) {
    const leader = await leaderAmong(machines.filter((machine) => machine !== except));
    if (leader) return leader;
    if (performance.now() > deadline)
      throw new Error(`There was no leader within ${LEADER_LIMIT_MS} ms.`);
    await sleep(POLL_MS);
  }
}

/** The machine that Patroni leads with now. */
async function leaderAmong(machines: readonly Machine[]): Promise<Machine | undefined> {
  const answers = await Promise.all(machines.map((machine) => machine.isLeader()));
  return machines[answers.indexOf(true)];
}

interface Standby {
  readonly name: string;
  readonly is_synchronous: boolean;
}

const STANDBYS = `select application_name as name, sync_state = 'sync' as is_synchronous
  from pg_stat_replication where state = 'streaming'`;

const readStandbys = (url: string): Promise<readonly Standby[]> =>
  withClient(url, async (client) => (await client.query<Standby>(STANDBYS)).rows);

async function findSynchronous(url: string, machines: readonly Machine[]): Promise<Machine> {
  const standbys = await readStandbys(url);
  const name = standbys.find(({ is_synchronous }) => is_synchronous)?.name;
  const machine = machines.find((each) => each.name === name);
  if (!machine) throw new Error('No standby is synchronous.');
  return machine;
}

async function waitUntilComplete(url: string, machines: readonly Machine[]): Promise<string[]> {
  const startedAt = performance.now();
  const copied: string[] = [];
  for (;;) {
    const standbys = await readStandbys(url).catch(() => []);
    const names = standbys.map(({ name }) => name);
    const isSafe = standbys.some(({ is_synchronous }) => is_synchronous);
    if (isSafe && names.length === machines.length - 1) return copied;
    const passed_ms = performance.now() - startedAt;
    if (passed_ms > COMPLETE_LIMIT_MS)
      throw new Error(`Not all database machines worked within ${COMPLETE_LIMIT_MS} ms.`);
    if (isSafe && passed_ms > RETURN_LIMIT_MS && copied.length === 0)
      copied.push(...(await copyAgain(machines, names)));
    await sleep(POLL_MS);
  }
}

/** Lets Patroni copy the database to machines that do not return by themselves, as an operator would. */
async function copyAgain(machines: readonly Machine[], names: readonly string[]) {
  const leader = await leaderAmong(machines);
  const missing = machines.filter((each) => each !== leader && !names.includes(each.name));
  for (const machine of missing) await machine.reinitialise();
  return missing.map(({ name }) => name);
}
