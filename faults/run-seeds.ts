import { mkdtemp, rm } from 'node:fs/promises';
import { startPostgres } from '@florin/cli/postgres/start-postgres.ts';
import { type Lane, type Report, runSeed } from './run-seed.ts';

/** Runs at once, each on a PostgreSQL of its own, which the others do not see crash. */
const LANES = 2;

type OpenLane = Lane & AsyncDisposable;

const open = new Set<OpenLane>();

/** Runs seeds, and tells of each as it ends. */
export async function runSeeds(
  seeds: readonly number[],
  tell: (report: Report) => void,
): Promise<readonly Report[]> {
  const left = [...seeds];
  const reports: Report[] = [];
  const run = async (): Promise<void> => {
    await using lane = await openLane();
    for (let seed = left.shift(); seed !== undefined; seed = left.shift()) {
      const report = await runSeed(seed, lane);
      reports.push(report);
      tell(report);
    }
  };
  await Promise.all(Array.from({ length: Math.min(LANES, seeds.length) }, run));
  return reports;
}

/** Ends what would outlive this process: its children end with it, PostgreSQL does not. */
export const closeLanes = (): Promise<unknown> =>
  Promise.all([...open].map((lane) => lane[Symbol.asyncDispose]()));

async function openLane(): Promise<OpenLane> {
  // Short, as the paths of sockets are limited.
  const directory = await mkdtemp('/tmp/florin-f-');
  const postgres = await startPostgres({ dataDir: directory });
  const lane: OpenLane = {
    directory,
    postgresUrl: postgres.url('postgres'),
    async [Symbol.asyncDispose]() {
      if (!open.delete(lane)) return;
      await postgres.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
  open.add(lane);
  return lane;
}
