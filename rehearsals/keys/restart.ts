import type { Cluster, Member } from '../support/cluster.ts';
import { waitUntilReady } from '../support/readiness.ts';

const serversOf = ({ members }: Cluster): Member[] =>
  members.filter(({ role }) => role === 'api' || role === 'worker');

/** Restarts all apis and workers, each when the previous one is ready. */
export async function restartServers(cluster: Cluster): Promise<void> {
  for (const [at, server] of serversOf(cluster).entries())
    await restart(server, cluster.privates[at] ?? '');
}

async function restart({ name, pid }: Member, origin: string): Promise<void> {
  const previous = pid();
  process.kill(previous, 'SIGTERM');
  await waitUntilReady(name, origin, () => pid() !== previous);
}

/** Waits until every server reaches the vault and the database. */
export async function waitForServers(cluster: Cluster): Promise<void> {
  const servers = serversOf(cluster).map(({ name }, at) =>
    waitUntilReady(name, cluster.privates[at] ?? ''),
  );
  await Promise.all(servers);
}
