import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { inheritedEnv } from '@florin/dev-env/config/env.ts';
import { freePort } from '@florin/dev-env/start-processes.ts';
import { ROOT } from '../../scripts/program.ts';
import type { Testbed } from '../testbed.ts';

const SERVER = join(ROOT, 'packages/server/src/main.ts');

/** A router of one cell, as `florin serve router` runs it. */
export interface BenchRouter extends AsyncDisposable {
  readonly origin: string;
  readonly pid: number;
}

export async function startRouter(home: Testbed): Promise<BenchRouter> {
  const port = await freePort();
  const child = fork(SERVER, [], {
    env: {
      ...inheritedEnv(),
      FLORIN_ROLE: 'router',
      FLORIN_CELLS: `home=${home.florin.baseUrl}`,
      DATABASE_URL: home.databaseUrl,
      PORT: String(port),
      FLORIN_LOG_LEVEL: 'warn',
      FLORIN_RATE_LIMIT: 'off',
    },
  });
  const exited = once(child, 'exit');
  const [{ type, message }] = await once(child, 'message');
  if (type !== 'ready') throw new Error(`the router did not start: ${message}`);
  return {
    origin: `http://127.0.0.1:${port}`,
    pid: child.pid as number,
    async [Symbol.asyncDispose]() {
      child.kill();
      await exited;
    },
  };
}
