import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bareEnv } from '@florin/dev-env/config/env.ts';
import { DATABASE_PASSWORDS } from '@florin/dev-env/databases.ts';
import { freePort } from '@florin/dev-env/start-processes.ts';
import { requirePackages } from '../support/packages.ts';
import { accepts } from '../support/port.ts';

const PROGRAM = '/usr/sbin/pgbouncer';
/** Connections to PostgreSQL per database and user: fewer than the processes have to PgBouncer. */
const POOL_SIZE = 10;
const START_LIMIT_MS = 20_000;

export interface PgBouncer extends AsyncDisposable {
  readonly version: string;
  /** Address of a database through PgBouncer. */
  reach(url: string): string;
}

/** Starts PgBouncer in transaction mode, before the PostgreSQL of `url`. Throws where it is not installed. */
export async function startPgBouncer(directory: string, url: string): Promise<PgBouncer> {
  requirePackages({ pgbouncer: PROGRAM });
  const { searchParams } = new URL(url);
  const socket = searchParams.get('host') ?? '';
  const port = await freePort();
  // PgBouncer refuses to run as root. The user of PostgreSQL may enter the directory of its socket.
  const owner = statSync(socket);
  mkdirSync(directory, { recursive: true });
  const config = join(directory, 'pgbouncer.ini');
  const users = join(directory, 'users.txt');
  writeFileSync(users, Object.entries(DATABASE_PASSWORDS).map(userLine).join('\n'));
  writeFileSync(config, configOf({ socket, postgresPort: searchParams.get('port'), port, users }));
  for (const path of [directory, config, users]) chownSync(path, owner.uid, owner.gid);
  const child = spawn(PROGRAM, ['-q', config], {
    uid: owner.uid,
    gid: owner.gid,
    env: bareEnv({}),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (!(await accepts(port, START_LIMIT_MS))) throw new Error('PgBouncer did not start.');
  return {
    version: versionOf(),
    reach: (target) => throughPort(target, port),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

const versionOf = (): string =>
  /PgBouncer (\S+)/.exec(String(spawnSync(PROGRAM, ['--version']).stdout))?.[1] ?? 'unknown';

const userLine = ([name, password]: readonly [string, string]): string => `"${name}" "${password}"`;

interface Settings {
  readonly socket: string;
  readonly postgresPort: string | null;
  readonly port: number;
  readonly users: string;
}

const configOf = ({ socket, postgresPort, port, users }: Settings): string => `[databases]
* = host=${socket} port=${postgresPort ?? 5432}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${POOL_SIZE}
max_client_conn = 500
`;

function throughPort(target: string, port: number): string {
  const { username, password, pathname } = new URL(target);
  return `postgresql://${username}:${password}@127.0.0.1:${port}${pathname}?pgbouncer=true`;
}
