import { setTimeout as sleep } from 'node:timers/promises';

const EVERY_MS = 250;
const ASK_LIMIT_MS = 15_000;

/** One answer of an api's `/readyz`, as a load balancer sees it. */
export interface Readiness {
  /** Time of the question, of `performance.now()`. */
  readonly at: number;
  /** `ready`, or why not. */
  readonly state: string;
}

export interface ReadinessWatch extends AsyncDisposable {
  readonly seen: readonly Readiness[];
}

/** Asks each api for its readiness until disposal. */
export function watchReadiness(apis: readonly string[]): ReadinessWatch {
  const seen: Readiness[] = [];
  let isOver = false;
  const watching = apis.map(async (api) => {
    while (!isOver) {
      const at = performance.now();
      seen.push({ at, state: await ask(api) });
      await sleep(EVERY_MS);
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

/** Each other state than `ready`, with its first and last second after `from`. */
export function describeUnready(seen: readonly Readiness[], from: number): string[] {
  const second = (at = 0): string => ((at - from) / 1_000).toFixed(1);
  const unready = seen.filter(({ state }) => state !== 'ready').toSorted((a, b) => a.at - b.at);
  return [...Map.groupBy(unready, ({ state }) => state)].map(
    ([state, group]) => `${state} from ${second(group[0]?.at)} to ${second(group.at(-1)?.at)} s`,
  );
}

interface ReadyAnswer {
  readonly ready: boolean;
  readonly vault: string;
  readonly database_fault?: string;
}

async function ask(api: string): Promise<string> {
  try {
    const response = await fetch(`${api}/readyz`, { signal: AbortSignal.timeout(ASK_LIMIT_MS) });
    return stateOf((await response.json()) as ReadyAnswer);
  } catch {
    return 'no response';
  }
}

function stateOf({ ready, vault, database_fault }: ReadyAnswer): string {
  if (ready) return 'ready';
  return database_fault ? `database ${database_fault}` : `vault ${vault}`;
}
