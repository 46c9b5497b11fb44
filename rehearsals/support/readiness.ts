import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than a server with a frozen database needs for its answer. */
const ANSWER_LIMIT_MS = 15_000;
const POLL_MS = 100;
const READY_LIMIT_MS = 60_000;

/** One answer of `/readyz`, as a load balancer sees it. */
export interface Readiness {
  /** Time of the request, of `performance.now()`. */
  readonly at: number;
  /** Undefined without a response. */
  readonly status: number | undefined;
  /** `ready`, or why not. */
  readonly state: string;
  readonly notes: readonly string[];
}

export interface ReadinessWatch extends AsyncDisposable {
  readonly seen: readonly Readiness[];
}

interface Body {
  readonly ready: boolean;
  readonly vault: string;
  readonly database_fault?: string;
  readonly notes?: readonly string[];
}

export async function readReadiness(origin: string): Promise<Readiness> {
  const at = performance.now();
  try {
    const signal = AbortSignal.timeout(ANSWER_LIMIT_MS);
    const response = await fetch(`${origin}/readyz`, { signal });
    const body = (await response.json()) as Body;
    return { at, status: response.status, state: stateOf(body), notes: body.notes ?? [] };
  } catch {
    return { at, status: undefined, state: 'no response', notes: [] };
  }
}

function stateOf({ ready, vault, database_fault }: Body): string {
  if (ready) return 'ready';
  return database_fault ? `database ${database_fault}` : `vault ${vault}`;
}

/** Reads the readiness of each server until disposal. */
export function watchReadiness(origins: readonly string[], every_ms: number): ReadinessWatch {
  const seen: Readiness[] = [];
  let isOver = false;
  const watching = origins.map(async (origin) => {
    while (!isOver) {
      seen.push(await readReadiness(origin));
      await sleep(every_ms);
    }
  });
  return {
    seen,
    async [Symbol.asyncDispose]() {
      isOver = true;
      await Promise.all(watching);
    },
  };
}

/** Waits until `isReplaced`, and until the server is ready. */
export async function waitUntilReady(
  name: string,
  origin: string,
  isReplaced: () => boolean = () => true,
): Promise<void> {
  const deadline = performance.now() + READY_LIMIT_MS;
  while (!isReplaced() || (await readReadiness(origin)).state !== 'ready') {
    if (performance.now() > deadline) throw new Error(`${name} is not ready.`);
    await sleep(POLL_MS);
  }
}
