import { Pool } from 'undici';

export interface Load {
  readonly origin: string;
  readonly connections: number;
  readonly seconds: number;
  /** Ends the load before its time. */
  readonly until?: Promise<unknown>;
  readonly headers: Readonly<Record<string, string>>;
  /** Returns the next request of a connection. */
  readonly next: () => { method: 'GET' | 'POST' | 'PATCH'; path: string; body?: string };
  /** Maximum requests per second; absent: as fast as responses arrive. */
  readonly per_second_max?: number;
}

export interface LoadResult {
  /** Number of responses, refused or not. */
  readonly count: number;
  readonly per_second: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  /** Number of responses other than 2xx. */
  readonly refused: number;
}

/**
 * Sends requests over a fixed number of connections for a time. Each connection waits for its response before
 * the next request. With a maximum rate, the latency of a request counts from the time when it was due.
 */
export async function run(load: Load): Promise<LoadResult> {
  const pool = new Pool(load.origin, { connections: load.connections, pipelining: 1 });
  const latencies: number[] = [];
  const counts = { refused: 0 };
  const startedAt = performance.now();
  const deadline = startedAt + load.seconds * 1000;
  let isOver = false;
  const end = (): void => {
    isOver = true;
  };
  load.until?.then(end, end);
  const hasEnded = (): boolean => isOver || performance.now() >= deadline;
  await Promise.all(
    Array.from({ length: load.connections }, () =>
      runConnection(pool, load, hasEnded, latencies, counts),
    ),
  );
  const elapsed = (performance.now() - startedAt) / 1000;
  await pool.close();
  latencies.sort((a, b) => a - b);
  return {
    count: latencies.length,
    per_second: latencies.length / elapsed,
    p50_ms: quantile(latencies, 0.5),
    p99_ms: quantile(latencies, 0.99),
    refused: counts.refused,
  };
}

async function runConnection(
  pool: Pool,
  { next, headers, per_second_max, connections }: Load,
  hasEnded: () => boolean,
  latencies: number[],
  counts: { refused: number },
): Promise<void> {
  const pace_ms = per_second_max ? (1000 * connections) / per_second_max : 0;
  for (let dueMs = performance.now() + Math.random() * pace_ms; ; dueMs += pace_ms) {
    const waitMs = dueMs - performance.now();
    if (pace_ms > 0 && waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    const startedAt = pace_ms > 0 ? dueMs : performance.now();
    if (hasEnded()) return;
    const { method, path, body } = next();
    const response = await pool.request({ method, path, headers, body: body ?? null });
    await response.body.dump();
    latencies.push(performance.now() - startedAt);
    if (response.statusCode >= 300) counts.refused++;
  }
}

export const quantile = (sorted: readonly number[], fraction: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? 0;
