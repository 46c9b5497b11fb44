import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { createLimiter } from './limiter.ts';

/** Work that waits for the thread at once. */
const WAITING_MAX = 64;
/** Work of one owner among it. */
const WAITING_OF_OWNER_MAX = 16;
/** Longest wait for the thread. */
const WAIT_MAX_MS = 10_000;
/** Longest time of one task. The thread then ends, and the next task starts another. */
const TASK_MAX_MS = 10_000;
/** Time after which an unused thread ends, and leaves the memory. */
const IDLE_MS = 60_000;

/** Answer of a thread's program: bytes, or why there are none. */
export type ThreadAnswer = { readonly bytes: Uint8Array } | { readonly problem: string };

/** A thread that makes bytes, one task at a time. */
export interface Thread<Task> extends AsyncDisposable {
  /** Rejects with `OverloadedError` if too much work waits, and after the time limit of a task. Owners take turns. */
  run(task: Task, owner: string): Promise<Buffer>;
}

/**
 * Creates a thread for work that takes so long that this thread would serve nobody meanwhile. The first task starts
 * it. The program at `url` answers each message with a `ThreadAnswer`.
 */
export function createThread<Task>(url: URL, task_max_ms = TASK_MAX_MS): Thread<Task> {
  const turns = createLimiter({
    total: { max: 1, waiting_max: WAITING_MAX },
    per_key: { max: 1, waiting_max: WAITING_OF_OWNER_MAX },
    wait_max_ms: WAIT_MAX_MS,
  });
  let worker: Worker | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  const stop = async (): Promise<void> => {
    const stoppedWorker = worker;
    worker = undefined;
    clearTimeout(idleTimer);
    await stoppedWorker?.terminate();
  };
  const runNow = async (task: Task): Promise<Buffer> => {
    clearTimeout(idleTimer);
    worker ??= new Worker(url);
    try {
      return await answerOf(worker, task, task_max_ms);
    } catch (error) {
      await stop();
      throw error;
    } finally {
      idleTimer = setTimeout(stop, IDLE_MS).unref();
    }
  };
  return {
    run: (task, owner) => turns.run(() => runNow(task), owner),
    [Symbol.asyncDispose]: stop,
  };
}

async function answerOf(worker: Worker, task: unknown, max_ms: number): Promise<Buffer> {
  const over = new AbortController();
  const { signal } = over;
  const ended = once(worker, 'exit', { signal }).then(() => {
    throw new Error('the thread ended');
  });
  const late = sleep(max_ms, undefined, { signal }).then(() => {
    throw new Error(`the task took longer than ${max_ms} ms`);
  });
  worker.postMessage(task);
  try {
    const answered = once(worker, 'message', { signal });
    const [answer] = (await Promise.race([answered, ended, late])) as [ThreadAnswer];
    if ('problem' in answer) throw new Error(answer.problem);
    return Buffer.from(answer.bytes);
  } finally {
    for (const promise of [ended, late]) promise.catch(() => undefined);
    over.abort();
  }
}
