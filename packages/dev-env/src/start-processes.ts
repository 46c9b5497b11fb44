import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Credentials } from '@florin/server/features/demo/credentials.ts';
import { inheritedEnv } from './config/env.ts';

const CHECKOUT = join(import.meta.dirname, '..', '..', '..');
const FLORIN = join('packages', 'cli', 'src', 'main.ts');
const START_LIMIT_MS = 150_000;
const STOP_LIMIT_MS = 40_000;
const POLL_MS = 50;
/** Switches demo orders off, because tests count the records that they create. */
const withoutOrders = { FLORIN_DEMO_ORDERS: 'false' };

export interface ProcessesOptions {
  /** Existing data directory. Default: a new directory, removed at the end. */
  readonly dataDir?: string;
  readonly port?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Options of Node for the supervisor alone, such as `--import`. */
  readonly nodeOptions?: readonly string[];
  /** Address that answers 200 once Florin is ready. Default: `/readyz`, which a restored Florin fails until it is open. */
  readonly ready_path?: '/readyz' | '/livez';
  /** Checkout to run. Default: the current one. */
  readonly checkout?: string;
  /** Stops Florin once it is aborted, also during the start, which then rejects. */
  readonly signal?: AbortSignal;
}

/** `florin start` in processes of its own, as operators run it. */
export interface Processes extends AsyncDisposable {
  readonly baseUrl: string;
  readonly payUrl: string;
  readonly port: number;
  readonly dataDir: string;
  readonly credentials: Credentials;
  /** Pid of the supervisor. */
  readonly pid: number;
  /** The output up to now. */
  output(): string;
  /** Kills the supervisor with SIGKILL. The child processes end automatically; PostgreSQL continues. */
  kill(): Promise<void>;
  /** Requests a stop and waits for it. Resolves with the exit code. */
  stop(): Promise<number | null>;
}

/** Starts Florin in processes and waits until it is ready. Rejects with the output if it does not start. */
export async function startProcesses(options: ProcessesOptions = {}): Promise<Processes> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'florin-run-')));
  const port = options.port ?? (await freePort());
  const program = join(options.checkout ?? CHECKOUT, FLORIN);
  const florin = spawn(process.execPath, [...(options.nodeOptions ?? []), program, 'start'], {
    env: {
      ...inheritedEnv(),
      PORT: String(port),
      FLORIN_DATA: dataDir,
      ...withoutOrders,
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  stopOnAbort(florin, options.signal);
  const output = collectOutput(florin);
  const baseUrl = `http://localhost:${port}`;
  await waitUntilReady(florin, baseUrl + (options.ready_path ?? '/readyz'), output);
  return {
    baseUrl,
    payUrl: `http://pay.localhost:${port}`,
    port,
    dataDir,
    credentials: await readCredentials(dataDir),
    pid: florin.pid as number,
    output,
    kill: () => endProcess(florin, 'SIGKILL').then(() => {}),
    stop: () => endProcess(florin, 'SIGTERM'),
    async [Symbol.asyncDispose]() {
      await endProcess(florin, 'SIGTERM');
      if (!options.dataDir) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function collectOutput(florin: ChildProcess): () => string {
  let outputText = '';
  for (const stream of [florin.stdout, florin.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      outputText += chunk;
    });
  }
  return () => outputText;
}

async function waitUntilReady(
  florin: ChildProcess,
  url: string,
  output: () => string,
): Promise<void> {
  const deadline = performance.now() + START_LIMIT_MS;
  while (!(await isAnswering(url))) {
    const hasExited = florin.exitCode !== null || florin.signalCode !== null;
    if (!hasExited && performance.now() < deadline) await sleep(POLL_MS);
    else {
      await endProcess(florin, 'SIGTERM');
      throw new Error(`florin start did not become ready; it printed:\n${output()}`);
    }
  }
}

const isAnswering = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

/** Unlike the option of `spawn`, this emits no error that others would take for the end of the process. */
function stopOnAbort(florin: ChildProcess, signal: AbortSignal | undefined): void {
  if (signal?.aborted) florin.kill('SIGTERM');
  signal?.addEventListener('abort', () => florin.kill('SIGTERM'), { once: true });
}

async function endProcess(florin: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (florin.exitCode === null && florin.signalCode === null) {
    const timer = setTimeout(() => florin.kill('SIGKILL'), STOP_LIMIT_MS);
    const processExit = once(florin, 'exit');
    florin.kill(signal);
    await processExit;
    clearTimeout(timer);
  }
  return florin.exitCode;
}

async function readCredentials(dataDir: string): Promise<Credentials> {
  return JSON.parse(await readFile(join(dataDir, 'credentials.json'), 'utf8')) as Credentials;
}

/** Returns a loopback port without a listener. Another process may take the port before the caller does. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}
