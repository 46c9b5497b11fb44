import { withClient } from '@florin/cli/database/client.ts';
import { type LossyDatabase, startLossyDatabase } from '@florin/dev-env/lossy-database.ts';
import type { DatabaseFault, Plan } from './plan.ts';

/** Database connections that break as planned between `begin` and `stop`. */
export interface DatabaseFaults extends AsyncDisposable {
  readonly url: string;
  readonly vaultUrl: string;
  readonly counts: Readonly<Record<DatabaseFault['kind'], number>>;
  /** Starts the count of writes, by which the plan names faults. */
  begin(): void;
  stop(): void;
}

interface Urls {
  readonly url: string;
  readonly vaultUrl: string;
  readonly adminUrl: string;
}

export async function startDatabaseFaults(plan: Plan, urls: Urls): Promise<DatabaseFaults> {
  const counts = { lose: 0, cut: 0, crash: 0 };
  const state = { writes: 0, isCalm: true };
  const chooseHandling = () => {
    if (state.isCalm) return 'pass';
    state.writes += 1;
    const fault = plan.database.find(({ write }) => write === state.writes);
    if (!fault) return 'pass';
    counts[fault.kind] += 1;
    if (fault.kind !== 'crash') return fault.kind;
    crash(urls.adminUrl).catch(() => {});
    return 'lose';
  };
  const server: LossyDatabase = await startLossyDatabase(urls.url, chooseHandling);
  const vault: LossyDatabase = await startLossyDatabase(urls.vaultUrl, chooseHandling);
  return {
    url: server.url,
    vaultUrl: vault.url,
    counts,
    begin() {
      state.isCalm = false;
    },
    stop() {
      state.isCalm = true;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([server[Symbol.asyncDispose](), vault[Symbol.asyncDispose]()]);
    },
  };
}

/** Kills a PostgreSQL process. PostgreSQL then ends all its processes and recovers from its log. */
const crash = (adminUrl: string): Promise<unknown> =>
  withClient(adminUrl, async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    for (const { pid } of rows) process.kill(pid, 'SIGKILL');
  });
