import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { startPostgres } from '@florin/cli/postgres/start-postgres.ts';
import type { Lane } from './installation.ts';
import { type Report, runSeed } from './run-seed.ts';

/** Number of concurrent runs. Each has its own PostgreSQL, so that a crash affects no other run. */
const LANES = 2;

const REMOVALS_MAX = 10;

interface OpenLane extends Lane, AsyncDisposable {
  stopPostgres(): Promise<void>;
  remove(): void;
}

const open = new Set<OpenLane>();

/** Runs seeds; reports each run when it ends. */
export async function runSeeds(
  seeds: readonly number[],
  onReport: (report: Report) => void,
): Promise<readonly Report[]> {
  const left = [...seeds];
  const reports: Report[] = [];
  const run = async (): Promise<void> => {
    await using lane = await openLane();
    for (let seed = left.shift(); seed !== undefined; seed = left.shift()) {
      const report = await runUntilApproved(seed, lane);
      reports.push(report);
      onReport(report);
    }
  };
  await Promise.all(Array.from({ length: Math.min(LANES, seeds.length) }, run));
  return reports;
}

/**
 * Runs a seed. Repeats the run if its only difference is that the network approved nothing, which proves
 * nothing.
 */
async function runUntilApproved(seed: number, lane: Lane): Promise<Report> {
  const report = await runSeed(seed, lane);
  const isEmpty = report.has_no_approval && report.differences.length === 1;
  return isEmpty ? runSeed(seed, lane) : report;
}

/** Stops PostgreSQL, which would outlive this process. Other child processes end with this process. */
export async function closeLanes(): Promise<void> {
  const lanes = [...open];
  await Promise.allSettled(lanes.map((lane) => lane.stopPostgres()));
  // Comes last, because an aborted run fails when its files disappear.
  for (const lane of lanes) lane.remove();
}

async function openLane(): Promise<OpenLane> {
  // A short path, because socket paths have a length limit.
  const directory = await mkdtemp('/tmp/florin-f-');
  const postgres = await startPostgres({ dataDir: directory });
  let stopped: Promise<void> | undefined;
  const lane: OpenLane = {
    directory,
    stopPostgres() {
      stopped ??= postgres.stop();
      return stopped;
    },
    postgresUrl: postgres.url('postgres'),
    remove() {
      open.delete(lane);
      rmSync(directory, { recursive: true, force: true, maxRetries: REMOVALS_MAX });
    },
    async [Symbol.asyncDispose]() {
      await lane.stopPostgres();
      lane.remove();
    },
  };
  open.add(lane);
  return lane;
}
