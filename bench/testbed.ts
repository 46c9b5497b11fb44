import { execFileSync } from 'node:child_process';
import { startPostgres } from '@florin/cli/postgres/start-postgres.ts';
import { freePort, type Processes, startProcesses } from '@florin/dev-env/start-processes.ts';
import { connectAccounts } from './accounts.ts';
import type { LoadResult } from './load.ts';
import { run } from './load.ts';
import { type MillionPayments, storeMillion } from './million.ts';
import { type ProcessorProxy, startProcessorProxy } from './processor-proxy.ts';

/** Florin in separate processes, as `npm start` runs it, with the records that benchmarks need. */
export interface Testbed extends AsyncDisposable {
  readonly florin: Processes;
  readonly databaseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Resident memory of each process except PostgreSQL in MB, by package. */
  memory(): Readonly<Record<string, number>>;
  /** Process id by package. */
  pidOf(name: string): number;
  /** Two processors, each with an account, which are connected on first use. */
  processors(): Promise<readonly [ProcessorProxy, ProcessorProxy]>;
  /** The merchant with a million payments, which are stored on first use. */
  million(): Promise<MillionPayments>;
  post(type: string, attributes: object, relations?: object): Promise<Resource>;
  get(path: string): Promise<Page>;
  /** Sends requests of one kind over several connections for a time. */
  load(options: LoadOptions): Promise<LoadResult>;
}

/** A page of a list. */
export interface Page {
  readonly data: readonly Resource[];
  readonly meta: { readonly pagination: { readonly total: number } };
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

export async function createTestbed(): Promise<Testbed> {
  const simulatorPort = await freePort();
  const proxies = [
    await startProcessorProxy(simulatorPort),
    await startProcessorProxy(simulatorPort),
  ] as const;
  const florin = await startProcesses({
    env: {
      FLORIN_LOG_LEVEL: 'warn',
      VAULT_LOG_LEVEL: 'warn',
      FLORIN_RATE_LIMIT: 'off',
      SIMULATOR_PORT: String(simulatorPort),
      VAULT_EGRESS: proxies.map(({ url }) => url).join(','),
    },
  });
  const postgres = await startPostgres({ dataDir: florin.dataDir });
  const databaseUrl = postgres.url('florin');
  let million: Promise<MillionPayments> | undefined;
  let connected: Promise<void> | undefined;
  const headers = {
    authorization: `Bearer ${florin.credentials.sandbox.secret_key}`,
    'content-type': 'application/vnd.api+json',
    'user-agent': 'florin-bench/1',
  };
  async function send<Document>(method: string, path: string, body?: object): Promise<Document> {
    const response = await fetch(`${florin.baseUrl}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const document = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(document)}`);
    return document as Document;
  }
  return {
    florin,
    headers,
    databaseUrl,
    memory: () => memoryOf(florin.pid),
    pidOf: (name) =>
      processesOf(florin.pid).find((process) => process.name === name)?.pid ?? fail(name),
    async processors() {
      connected ??= connectAccounts(florin, proxies);
      await connected;
      return proxies;
    },
    million: () => {
      million ??= storeMillion(databaseUrl);
      return million;
    },
    get: (path) => send<Page>('GET', path),
    post: async (type, attributes, relationships = {}) =>
      (
        await send<{ data: Resource }>('POST', `/v2/${type}`, {
          data: { type, attributes, relationships },
        })
      ).data,
    load: (options) => run({ origin: florin.baseUrl, headers, ...options }),
    async [Symbol.asyncDispose]() {
      await florin[Symbol.asyncDispose]();
      await Promise.all(proxies.map((proxy) => proxy[Symbol.asyncDispose]()));
    },
  };
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
