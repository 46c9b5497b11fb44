import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { startPostgres } from '@florin/cli/postgres/start-postgres.ts';
import type { RunEnvironment } from './installation.ts';
import { type Report, runSeed } from './run-seed.ts';

/** Number of concurrent runs. Each has its own PostgreSQL, so that a crash affects no other run. */
const CONCURRENT_RUNS = 2;

const REMOVALS_MAX = 10;

interface OpenEnvironment extends RunEnvironment, AsyncDisposable {
  stopPostgres(): Promise<void>;
  remove(): void;
}

const openEnvironments = new Set<OpenEnvironment>();

/** Runs seeds, each with all its scenarios or only the first ones; reports each run when it ends. */
export async function runSeeds(
  seeds: readonly number[],
  onReport: (report: Report) => void,
  scenarios?: number,
): Promise<readonly Report[]> {
  const remainingSeeds = [...seeds];
  const reports: Report[] = [];
  const run = async (): Promise<void> => {
    await using environment = await openEnvironment();
    for (let seed = remainingSeeds.shift(); seed !== undefined; seed = remainingSeeds.shift()) {
      const report = await runUntilApproved(() => runSeed(seed, environment, scenarios));
      reports.push(report);
      onReport(report);
    }
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENT_RUNS, seeds.length) }, run));
  return reports;
}

/**
 * Runs a seed. Repeats the run if its only difference is that the network approved nothing, which proves
 * nothing.
 */
async function runUntilApproved(run: () => Promise<Report>): Promise<Report> {
  const report = await run();
  const isEmpty = report.has_no_approval && report.differences.length === 1;
  return isEmpty ? run() : report;
}

/** Stops PostgreSQL, which would outlive this process. Other child processes end with this process. */
export async function closeEnvironments(): Promise<void> {
  const environments = [...openEnvironments];
  await Promise.allSettled(environments.map((environment) => environment.stopPostgres()));
  // Comes last, because an aborted run fails when its files disappear.
  for (const environment of environments) environment.remove();
}

async function openEnvironment(): Promise<OpenEnvironment> {
  // A short path, because socket paths have a length limit.
  const directory = await mkdtemp('/tmp/florin-f-');
  const postgres = await startPostgres({ dataDir: directory });
  let stopPromise: Promise<void> | undefined;
  const environment: OpenEnvironment = {
    directory,
    stopPostgres() {
      stopPromise ??= postgres.stop();
      return stopPromise;
    },
    postgresUrl: postgres.url('postgres'),
    remove() {
      openEnvironments.delete(environment);
      rmSync(directory, { recursive: true, force: true, maxRetries: REMOVALS_MAX });
    },
    async [Symbol.asyncDispose]() {
      await environment.stopPostgres();
      environment.remove();
    },
  };
  openEnvironments.add(environment);
  return environment;
}
