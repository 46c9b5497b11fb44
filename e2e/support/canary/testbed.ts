import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { vaultSocket } from '@florin/cli/commands/services.ts';
import { startPostgres } from '@florin/cli/postgres/start-postgres.ts';
import { freePort, type Processes, startProcesses } from '@florin/dev-env/start-processes.ts';
import pg from 'pg';
import { shopApi } from '../bank-shop.ts';
import { keepAllTraces } from './places.ts';

/** Florin in processes of its own with all files in one folder, and a merchant's webhook endpoint. */
export interface CanaryTestbed extends AsyncDisposable {
  readonly florin: Processes;
  /** Address of the simulated network, which has the stand-ins of processors. */
  readonly simulatorUrl: string;
  /** Folder with the data directory and the temporary files of all processes. */
  readonly home: string;
  readonly dataDir: string;
  /** Bodies and headers of received webhooks. */
  readonly webhooks: string[];
  /** Segment of the write-ahead log before the first card. */
  readonly first_log: string;
  /** Connects as the database's administrator. */
  database(): Promise<pg.Pool>;
  shop(): ReturnType<typeof shopApi>;
  /** Kills one of Florin's processes with SIGKILL. Resolves when the restarted process serves. */
  kill(program: 'vault' | 'server'): Promise<void>;
  /** Pauses the server while it has no open transaction. Disposal continues it. */
  pauseServer(): Promise<Disposable>;
  pidOf(program: 'vault' | 'server'): number;
  stop(): Promise<void>;
  start(): Promise<void>;
}

const EVENTS = [
  'consumer.payment_methods.created',
  'transaction.payment_demands.created',
  'transaction.payment_demands.updated',
  'transaction.payment_demands.succeeded',
  'transaction.payment_demands.failed',
];

export async function openCanaryTestbed(): Promise<CanaryTestbed> {
  await using cleanup = new AsyncDisposableStack();
  // The path is short, because socket paths have a length limit.
  const home = await mkdtemp('/tmp/canary-');
  cleanup.defer(() => rm(home, { recursive: true, force: true }));
  // The database's user must traverse the folder.
  await chmod(home, 0o711);
  const dataDir = `${home}/data`;
  const port = await freePort();
  const simulatorPort = await freePort();
  const env = {
    SIMULATOR_PORT: String(simulatorPort),
    FLORIN_LOG_LEVEL: 'trace',
    VAULT_LOG_LEVEL: 'trace',
    FLORIN_RATE_LIMIT: 'off',
    TMPDIR: home,
  };
  const webhooks: string[] = [];
  const receiver = cleanup.use(await startReceiver(webhooks));
  const start = () => startProcesses({ dataDir, port, env });
  const current = { florin: await start() };
  cleanup.defer(() => current.florin[Symbol.asyncDispose]());
  let poolPromise: Promise<pg.Pool> | undefined;
  const close = async () => {
    const openPool = await poolPromise;
    poolPromise = undefined;
    await openPool?.end();
  };
  cleanup.defer(close);
  const disposables = new AsyncDisposableStack();
  const database = () => {
    poolPromise ??= openAdminPool(dataDir);
    return poolPromise;
  };
  const { rows } = await (await database()).query(
    'select pg_walfile_name(pg_current_wal_lsn()) as name',
  );
  const testbed: CanaryTestbed = {
    simulatorUrl: `http://127.0.0.1:${simulatorPort}`,
    first_log: rows[0].name,
    database,
    home,
    dataDir,
    webhooks,
    get florin() {
      return current.florin;
    },
    shop: () => shopApi(current.florin),
    pidOf: (program) => pidOf(current.florin.pid, program),
    kill: (program) => killProgram(current.florin, program),
    pauseServer: async () => pauseWhenIdle(pidOf(current.florin.pid, 'server'), await database()),
    async stop() {
      await close();
      await current.florin.stop();
    },
    async start() {
      current.florin = await start();
    },
    [Symbol.asyncDispose]: () => disposables.disposeAsync(),
  };
  await keepAllTraces(await testbed.database());
  await subscribe(current.florin, receiver.url);
  disposables.use(cleanup.move());
  return testbed;
}

async function openAdminPool(dataDir: string): Promise<pg.Pool> {
  const { url } = await startPostgres({ dataDir });
  const pool = new pg.Pool({ connectionString: url('florin'), max: 2 });
  // Connections break when PostgreSQL stops. The listener ignores that.
  return pool.on('error', () => {});
}

async function startReceiver(
  messages: string[],
): Promise<{ readonly url: string } & AsyncDisposable> {
  const server = createServer(async (request, response) => {
    messages.push(`${JSON.stringify(request.headers)}\n${await text(request)}`);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function subscribe({ baseUrl, credentials }: Processes, url: string): Promise<void> {
  const response = await fetch(`${baseUrl}/v2/webhook_subscriptions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${credentials.sandbox.secret_key}`,
      'content-type': 'application/vnd.api+json',
    },
    body: JSON.stringify({
      data: { type: 'webhook_subscriptions', attributes: { url, events: EVENTS } },
    }),
  });
  if (!response.ok) throw new Error(await response.text());
}

const pidOf = (supervisorPid: number, program: string): number =>
  Number(
    execFileSync('pgrep', ['-P', String(supervisorPid), '-f', `packages/${program}/src/main`], {
      encoding: 'utf8',
    }).trim(),
  );

/** Each poll starts a program that lists processes. */
const POLL_MS = 200;
const RESTART_LIMIT_MS = 30_000;

async function killProgram({ pid, baseUrl, dataDir }: Processes, program: string): Promise<void> {
  const oldPid = pidOf(pid, program);
  process.kill(oldPid, 'SIGKILL');
  const deadline = performance.now() + RESTART_LIMIT_MS;
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    if (await isBack(pid, program, oldPid, baseUrl)) return waitUntilVaultServes(dataDir, deadline);
    if (performance.now() > deadline) throw new Error(`${program} did not come back`);
  }
}

async function isBack(pid: number, program: string, oldPid: number, url: string): Promise<boolean> {
  try {
    if (pidOf(pid, program) === oldPid) return false;
    // The server may be paused while the vault restarts.
    return program === 'vault' || (await fetch(`${url}/readyz`)).ok;
  } catch {
    return false;
  }
}

async function pauseWhenIdle(serverPid: number, database: pg.Pool): Promise<Disposable> {
  const resume = () => process.kill(serverPid, 'SIGCONT');
  const deadline = performance.now() + RESTART_LIMIT_MS;
  for (;;) {
    process.kill(serverPid, 'SIGSTOP');
    const { rowCount } = await database.query(
      `select from pg_stat_activity where state <> 'idle' and pid <> pg_backend_pid()`,
    );
    if (rowCount === 0) return { [Symbol.dispose]: resume };
    resume();
    if (performance.now() > deadline) throw new Error('the database is never idle');
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Waits for the vault. The server runs without a vault, but its next card would fail. */
async function waitUntilVaultServes(dataDir: string, deadline: number): Promise<void> {
  const socketPath = vaultSocket(dataDir);
  for (;;) {
    const status = await new Promise<number | undefined>((resolve) => {
      const healthRequest = request({ socketPath, path: '/health', agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      healthRequest.on('error', () => resolve(undefined)).end();
    });
    if (status === 200) return;
    if (performance.now() > deadline) throw new Error('the vault did not come back');
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
