import { type Stack, startStack } from './stack.ts';

/** A stack that other test files of this process use too. No test may stop its parts. */
export type SharedStack = Omit<Stack, 'stop' | 'start' | 'restart' | typeof Symbol.asyncDispose>;

export interface Lease extends AsyncDisposable {
  readonly stack: SharedStack;
}

/** The next file needs less time to lease the stack. The loops of an idle one would slow other tests. */
const IDLE_MS = 3_000;

let running: Promise<Stack> | undefined;
let leases = 0;
let idle: NodeJS.Timeout | undefined;

/** Leases the stack of this process. Starts it if none runs, and stops it soon after the last lease ended. */
export async function leaseStack(): Promise<Lease> {
  clearTimeout(idle);
  running ??= started();
  const stack = await running;
  leases += 1;
  return { stack, [Symbol.asyncDispose]: giveBack };
}

/** After a failed start the next file tries again. */
async function started(): Promise<Stack> {
  try {
    return await startStack();
  } catch (error) {
    running = undefined;
    throw error;
  }
}

async function giveBack(): Promise<void> {
  leases -= 1;
  if (leases > 0) return;
  idle = setTimeout(() => void stop(), IDLE_MS).unref();
}

async function stop(): Promise<void> {
  const stack = running;
  running = undefined;
  await (await stack)?.[Symbol.asyncDispose]();
}
