import { livePostmaster } from '@florin/cli/postgres/postmaster.ts';
import type { Cluster } from '../support/cluster.ts';
import { processTree, signalAll } from '../support/process-tree.ts';

/** Processes that can be frozen. */
export interface Installation {
  readonly cluster: Pick<Cluster, 'members'>;
  /** Directory of the database cluster, which nobody else may use. */
  readonly databaseDir: string | undefined;
}

interface Part {
  readonly description: string;
  /** Processes that stop together with their children. */
  pids(installation: Installation): readonly number[];
}

const membersOf = ({ cluster }: Installation, role: 'vault' | 'network'): number[] =>
  cluster.members.filter((member) => member.role === role).map((member) => member.pid());

export const PARTS = {
  vault: {
    description: 'one of two vaults',
    pids: (installation) => membersOf(installation, 'vault').slice(0, 1),
  },
  vaults: {
    description: 'both vaults',
    pids: (installation) => membersOf(installation, 'vault'),
  },
  network: {
    description: 'card network',
    pids: (installation) => membersOf(installation, 'network'),
  },
  database: {
    description: 'database',
    pids: ({ databaseDir }) => [postmasterOf(databaseDir)],
  },
} as const satisfies Readonly<Record<string, Part>>;

export type PartName = keyof typeof PARTS;

function postmasterOf(databaseDir: string | undefined): number {
  const postmaster = databaseDir && livePostmaster(databaseDir);
  if (!postmaster)
    throw new Error(`No PostgreSQL runs in ${databaseDir ?? 'a directory of its own'}.`);
  return postmaster.pid;
}

/** Stops a part with SIGSTOP, as a machine that hangs. Disposal continues it. */
export function freeze(part: PartName, installation: Installation): Disposable {
  const roots = PARTS[part].pids(installation);
  // A stopped postmaster starts no further process.
  signalAll(roots, 'SIGSTOP');
  const pids = roots.flatMap(processTree);
  signalAll(pids, 'SIGSTOP');
  return { [Symbol.dispose]: () => signalAll(pids, 'SIGCONT') };
}
