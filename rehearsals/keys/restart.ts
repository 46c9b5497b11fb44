import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster, Member } from '../support/cluster.ts';

const POLL_MS = 100;
const LIMIT_MS = 60_000;

/** Restarts all apis and workers, each when the previous one is ready. */
export async function restartServers({ members, privates }: Cluster): Promise<void> {
  const servers = members.filter(({ role }) => role === 'api' || role === 'worker');
  for (const [at, server] of servers.entries()) await restart(server, privates[at] ?? '');
}

async function restart({ name, pid }: Member, url: string): Promise<void> {
  const previous = pid();
  process.kill(previous, 'SIGTERM');
  const deadline = performance.now() + LIMIT_MS;
  while (pid() === previous || !(await isReady(url))) {
    if (performance.now() > deadline) throw new Error(`${name} did not return.`);
    await sleep(POLL_MS);
  }
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
