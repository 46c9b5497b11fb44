import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type LoadResult, run } from './load.ts';
import type { LoadOptions } from './testbed.ts';

/** Requests per second of a separate bare Fastify process with responses of the same size. */
export async function measureBareRate(
  bytes: number,
  { connections, seconds }: Pick<LoadOptions, 'connections' | 'seconds'>,
): Promise<LoadResult> {
  const child = fork(join(import.meta.dirname, 'bare.ts'), [String(bytes)]);
  const [port] = (await once(child, 'message')) as [number];
  const next = () => ({ method: 'GET' as const, path: '/' });
  const headers = { 'user-agent': 'florin-bench/1' };
  const result = await run({
    origin: `http://127.0.0.1:${port}`,
    headers,
    connections,
    seconds,
    next,
  });
  child.disconnect();
  return result;
}
