import { execFileSync } from 'node:child_process';
import { livePostmaster } from '@florin/cli/postgres/postmaster.ts';
import { type Postgres, startPostgres } from '@florin/cli/postgres/start-postgres.ts';
import {
  freePort,
  type Processes,
  type ProcessesOptions,
  startProcesses,
} from '@florin/dev-env/start-processes.ts';
import { hashKey } from '@florin/server/features/merchants/api-key.ts';
import pg from 'pg';
import { connectAccounts } from './accounts.ts';
import { makeFolder, removeAtEnd } from './folders.ts';
import { interruption } from './interruption.ts';
import type { LoadResult } from './load.ts';
import { run } from './load.ts';
import { type ManyPayments, storeMillion } from './million.ts';
import { type ProcessorProxy, startProcessorProxy } from './processor-proxy.ts';
import { endStep, showStep } from './progress.ts';

/** Florin in separate processes, as `npm start` runs it, with the records that benchmarks need. */
export interface Testbed extends AsyncDisposable {
  readonly florin: Processes;
  readonly databaseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Resident memory of each process except PostgreSQL in MB, by package. */
  memory(): Readonly<Record<string, number>>;
  /** Process id by package. */
  pidOf(name: string): number;
  /** Process id of PostgreSQL's first process, the parent of all its others. */
  postmasterPid(): number;
  /** Id of the merchant whose key the requests have. */
  merchantId(): Promise<string>;
  /** Runs a statement as the database's administrator, one at a time, without scans of whole tables. */
  query<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Two processors, each with an account, which are connected on first use. */
  processors(): Promise<readonly [ProcessorProxy, ProcessorProxy]>;
  /** The merchant with a million payments, which are stored on first use. */
  million(): Promise<ManyPayments>;
  post(type: string, attributes: object, relations?: object): Promise<Resource>;
  /** Runs the metered part of a row. Profilers wrap it to record nothing else. */
  metered?<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Sends requests of one kind over several connections for a time. */
  load(options: LoadOptions): Promise<LoadResult>;
}

export interface Resource {
  readonly type: string;
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

export interface LoadOptions {
  readonly next: () => { method: 'GET' | 'POST' | 'PATCH'; path: string; body?: string };
  readonly connections: number;
  readonly seconds: number;
  readonly until?: Promise<unknown>;
  readonly per_second_max?: number;
}

export interface TestbedOptions extends Pick<ProcessesOptions, 'dataDir' | 'nodeOptions' | 'env'> {
  /** Server of the database that DATABASE_URL of `env` names; absent: the embedded one. */
  readonly postgres?: Postgres;
  /** Returns the secret key of the requests; absent: the key of the demo merchant. */
  readonly keyOf?: (florin: Processes) => Promise<string>;
}

export async function createTestbed(options: TestbedOptions = {}): Promise<Testbed> {
  showStep('starting Florin');
  await using opened = new AsyncDisposableStack();
  const simulatorPort = await freePort();
  const proxies = [
    opened.use(await startProcessorProxy(simulatorPort)),
    opened.use(await startProcessorProxy(simulatorPort)),
  ] as const;
  const florin = opened.use(await startFlorin(simulatorPort, proxies, options));
  interruption.throwIfAborted();
  const postgres = options.postgres ?? (await startPostgres({ dataDir: florin.dataDir }));
  removeAtEnd(postgres.root);
  const databaseUrl = postgres.url('florin');
  const client = await connectAdministrator(databaseUrl);
  opened.defer(() => client.end());
  endStep();
  const key = (await options.keyOf?.(florin)) ?? florin.credentials.sandbox.secret_key;
  const headers = headersOf(key);
  let million: Promise<ManyPayments> | undefined;
  let connected: Promise<void> | undefined;
  const cleanup = opened.move();
  return {
    florin,
    headers,
    databaseUrl,
    memory: () => memoryOf(florin.pid),
    pidOf: (name) =>
      processesOf(florin.pid).find((process) => process.name === name)?.pid ?? fail(name),
    postmasterPid: () => livePostmaster(postgres.directory)?.pid ?? fail('PostgreSQL'),
    query: async (text, values) => (await client.query(text, values && [...values])).rows,
    merchantId: () => findMerchant(client, key),
    async processors() {
      connected ??= connectAccounts(florin, proxies);
      await connected;
      return proxies;
    },
    million: () => {
      million ??= storeMillion(databaseUrl);
      return million;
    },
    post: (type, attributes, relationships = {}) =>
      post({ florin, headers }, { type, attributes, relationships }),
    load: (options) => run({ origin: florin.baseUrl, headers, ...options }),
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  };
}

const startFlorin = (
  simulatorPort: number,
  proxies: readonly ProcessorProxy[],
  { dataDir, nodeOptions, env }: TestbedOptions,
): Promise<Processes> =>
  startProcesses({
    dataDir: dataDir ?? makeFolder('run'),
    signal: interruption,
    ...(nodeOptions && { nodeOptions }),
    env: {
      FLORIN_LOG_LEVEL: 'warn',
      VAULT_LOG_LEVEL: 'warn',
      FLORIN_RATE_LIMIT: 'off',
      VAULT_LIMITS:
        'ingest=10000000,describe=10000000,attach=10000000,destroy=10000000,relay=10000000',
      SIMULATOR_PORT: String(simulatorPort),
      VAULT_EGRESS: proxies.map(({ url }) => url).join(','),
      ...env,
    },
  });

const headersOf = (key: string): Testbed['headers'] => ({
  authorization: `Bearer ${key}`,
  'content-type': 'application/vnd.api+json',
  'user-agent': 'florin-bench/1',
});

/** Connects to look at the tables between and during loads. Scans of whole tables would slow down the loads. */
async function connectAdministrator(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  // A bench may kill its database.
  client.on('error', () => {});
  await client.connect();
  await client.query('set enable_seqscan = off');
  return client;
}

async function findMerchant(client: pg.Client, key: string): Promise<string> {
  const { rows } = await client.query(
    "select merchant_id from merchant_tokens where token_hash = decode($1, 'hex')",
    [hashKey(key)],
  );
  return rows[0].merchant_id;
}

async function post(
  { florin, headers }: Pick<Testbed, 'florin' | 'headers'>,
  data: { readonly type: string; readonly attributes: object; readonly relationships: object },
): Promise<Resource> {
  const path = `/v2/${data.type}`;
  const body = JSON.stringify({ data });
  const response = await fetch(`${florin.baseUrl}${path}`, { method: 'POST', headers, body });
  const document = await response.json();
  if (!response.ok) throw new Error(`POST ${path}: ${JSON.stringify(document)}`);
  return (document as { data: Resource }).data;
}

const KB_PER_MB = 1024;

function memoryOf(supervisorPid: number): Record<string, number> {
  return Object.fromEntries(
    processesOf(supervisorPid).map(({ name, rss }) => [name, Math.round(rss / KB_PER_MB)]),
  );
}

/** Processes of a Florin installation by package. `rss` is in kB. */
function processesOf(supervisorPid: number): { name: string; pid: number; rss: number }[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,rss=,args='], { encoding: 'utf8' });
  return lines
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((match) => match !== null)
    .filter(([, pid, ppid]) => Number(pid) === supervisorPid || Number(ppid) === supervisorPid)
    .map(([, pid, , rss, args]) => ({
      name: /packages\/([a-z-]+)\//.exec(args as string)?.[1] ?? 'other',
      pid: Number(pid),
      rss: Number(rss),
    }));
}

function fail(name: string): never {
  throw new Error(`there is no process of ${name}`);
}
