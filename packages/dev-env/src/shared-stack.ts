import { type Stack, startStack } from './stack.ts';

/** A stack shared with other test files of this process. Tests must not stop its parts. */
export type SharedStack = Omit<Stack, 'stop' | 'start' | 'restart' | typeof Symbol.asyncDispose>;

export interface Lease extends AsyncDisposable {
  readonly stack: SharedStack;
}

/**
 * Idle time before the stack stops, in milliseconds. The next file usually leases the stack sooner. Idle loops would
 * slow other tests.
 */
const IDLE_MS = 3_000;

let sharedStack: Promise<Stack> | undefined;
let leaseCount = 0;
let idleTimer: NodeJS.Timeout | undefined;

/**
 * Leases the stack of this process. Starts a stack if none runs. The stack stops soon after the last lease has ended.
 */
export async function leaseStack(): Promise<Lease> {
  clearTimeout(idleTimer);
  sharedStack ??= startOnce();
  const stack = await sharedStack;
  leaseCount += 1;
  return { stack, [Symbol.asyncDispose]: releaseStack };
}

/** Starts the stack. After a failed start, the next file tries again. */
async function startOnce(): Promise<Stack> {
  try {
    return await startStack();
  } catch (error) {
    sharedStack = undefined;
    throw error;
  }
}

async function releaseStack(): Promise<void> {
  leaseCount -= 1;
  if (leaseCount > 0) return;
  idleTimer = setTimeout(() => void stop(), IDLE_MS).unref();
}

async function stop(): Promise<void> {
  const stack = sharedStack;
  sharedStack = undefined;
  await (await stack)?.[Symbol.asyncDispose]();
}
