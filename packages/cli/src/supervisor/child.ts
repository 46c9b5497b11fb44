import { type ChildProcess, spawn } from 'node:child_process';
import { totalmem } from 'node:os';
import { PlainFailure } from '../kernel/plain-failure.ts';
import { parseChildMessage, type ReadyMessage } from './child-message.ts';
import type { Log } from './log-file.ts';
import type { ServiceRun } from './slot.ts';

export interface ChildOptions {
  /** Name of the service, capitalised to start a sentence: "The vault". */
  readonly title: string;
  readonly script: string;
  readonly env: Readonly<Record<string, string>>;
  readonly log: Log;
  /** Takes what the child writes to the file `ACCESS_LOG_FD`; absent: the child has no such file. */
  readonly access_log?: Log | undefined;
  readonly onSpawn?: (pid: number) => void;
  /** True for processes with secrets in memory: disables core dumps, and the debugger that a signal starts. */
  readonly guarded?: boolean;
  /** Time to end in, before the process is killed; default `STOP_LIMIT_MS`. */
  readonly stop_limit_ms?: number | undefined;
}

/**
 * Size in MB of half of V8's space for new objects, in which it keeps 128 MB by default. With 16, a page of 50 payments
 * costs half as much again.
 */
const SEMI_SPACE_MB = 32;

/**
 * Percent by which V8's space for old objects grows before the next collection. V8 chooses up to 300 where it may have a
 * heap of 2 GB, and less than 100 on small machines.
 */
const HEAP_GROWING_PERCENT = 100;
/** V8 takes at most half of the memory for its heap. */
const LARGE_MEMORY_BYTES = 4 * 2 ** 30;

/**
 * Settings of glibc's allocator: it returns freed memory above 1 MB to the system, and has two pools in place of eight
 * per processor. By default a server keeps 200 MB more after a load.
 */
const ALLOCATOR = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: String(1024 * 1024) };

/** Number of the open file to which a server writes a separate access log. */
export const ACCESS_LOG_FD = 4;

export const READY_LIMIT_MS = 60_000;
/** A little more than the server's own drain limit. */
export const STOP_LIMIT_MS = 25_000;

/**
 * Starts a Node program with an IPC channel in its own session. Ctrl-C then reaches only the supervisor, which stops
 * its children in order.
 */
export function startChild(options: ChildOptions): ServiceRun {
  const [program, ...args] = commandLine(options);
  const child = spawn(program, args, {
    detached: true,
    env: { ...ALLOCATOR, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc', ...(options.access_log ? ['pipe' as const] : [])],
  });
  child.stdio[ACCESS_LOG_FD]?.on('data', (chunk: Buffer) => options.access_log?.write(chunk));
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', options.log.write);
  if (child.pid) options.onSpawn?.(child.pid);
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  return {
    ready: waitForReady(child, exited, options),
    exited,
    stop: (limit_ms = options.stop_limit_ms ?? STOP_LIMIT_MS) => stop(child, exited, limit_ms),
  };
}

/** Node cannot limit core dumps, so a shell sets the limit and then executes the program. */
function commandLine({ script, guarded }: ChildOptions): [string, ...string[]] {
  const node = [
    process.execPath,
    `--max-semi-space-size=${SEMI_SPACE_MB}`,
    ...(hasLargeMemory() ? [`--heap-growing-percent=${HEAP_GROWING_PERCENT}`] : []),
  ] as const;
  return guarded
    ? ['/bin/sh', '-c', 'ulimit -c 0; exec "$@"', 'sh', ...node, '--disable-sigusr1', script]
    : [...node, script];
}

/** Whether the machine, and the container if there is one, have so much memory that V8 lets heaps grow far. */
const hasLargeMemory = (): boolean =>
  Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) >=
  LARGE_MEMORY_BYTES;

async function waitForReady(
  child: ChildProcess,
  exited: Promise<void>,
  { title, log }: ChildOptions,
): Promise<ReadyMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<ReadyMessage>();
  const refuse = (sentence: string) => reject(new PlainFailure(sentence));
  child.on('message', (raw) => {
    const message = parseChildMessage(raw);
    if (message?.type === 'ready') resolve(message);
    else if (message) refuse(message.message);
  });
  const refuseLate = () =>
    refuse(`${title} did not start within ${READY_LIMIT_MS / 1000} s; see ${log.path}.`);
  const timer = setTimeout(refuseLate, READY_LIMIT_MS);
  // Delays the failure, so that a message sent just before the end arrives first.
  exited.then(() => setImmediate(refuse, `${title} ended while it started; see ${log.path}.`));
  return promise.finally(() => clearTimeout(timer));
}

async function stop(child: ChildProcess, exited: Promise<void>, limit_ms: number): Promise<void> {
  if (limit_ms > 0) child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), limit_ms);
  await exited;
  clearTimeout(timer);
}
