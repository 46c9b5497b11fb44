import { setTimeout as sleep } from 'node:timers/promises';
import { DATABASE } from '@florin/cli/commands/services.ts';
import { startPostgres } from '@florin/cli/postgres/start-postgres.ts';
import type { SmallDisk } from '@florin/dev-env/small-disk.ts';
import { type Processes, startProcesses } from '@florin/dev-env/start-processes.ts';
import { findChanged, isWrite, succeeded } from '../support/answers.ts';
import { compareRunning } from '../support/compare.ts';
import { longestGap } from '../support/figures.ts';
import { type Pace, takePaymentsUntil } from '../support/load.ts';
import { createPayer } from '../support/payer.ts';
import { createTimeline } from '../support/timeline.ts';
import { type Reports, recordReports } from './reports.ts';

/** Pause before the filler takes what was freed meanwhile, such as recycled log of PostgreSQL. */
const REFILL_MS = 250;
const RETURN_LIMIT_MS = 120_000;
const POLL_MS = 100;
/** Answers that a failure names. */
const STATUSES_SHOWN = 10;
const ENV = { FLORIN_RATE_LIMIT: 'off', FLORIN_LOG_LEVEL: 'error' };

export interface DiskFullPlan extends Omit<Pace, 'name'> {
  readonly disk: SmallDisk;
  readonly rounds: number;
  /** Time of payments before and after each fault. */
  readonly around_ms: number;
  readonly full_ms: number;
  /** Reports the end of a round. */
  onRound?(round: Round): void;
}

export interface Round extends Reports {
  /** Longest time between two successful writes. */
  readonly gap_ms: number;
  /** Time from the free disk to the next successful write. */
  readonly return_ms: number;
  readonly payments: number;
  /** Requests that did not succeed, a word each. Each was repeated. */
  readonly failed: readonly string[];
  readonly differences: readonly string[];
}

/**
 * Takes payments by a `florin start` whose database, logs and files are on a small disk. Fills the disk, frees it
 * again, and compares all ledgers.
 */
export async function rehearseDiskFull(plan: DiskFullPlan): Promise<readonly Round[]> {
  const dataDir = `${plan.disk.directory}/d`;
  await using florin = await startProcesses({ dataDir, env: ENV });
  const { answers, onAnswer } = createTimeline();
  const payer = createPayer([florin.baseUrl], florin.credentials.sandbox.secret_key, onAnswer);
  await payer.prepare();
  const postgres = await startPostgres({ dataDir });
  const adminUrl = postgres.url(DATABASE);
  const rounds: Round[] = [];
  for (let number = 1; number <= plan.rounds; number += 1) {
    const round = await runRound(number);
    plan.onRound?.(round);
    rounds.push(round);
  }
  return rounds;

  async function runRound(number: number): Promise<Round> {
    const first = answers.length;
    let isOver = false;
    const pace = { ...plan, name: `round ${number}` };
    const paying = takePaymentsUntil(payer, pace, () => isOver);
    try {
      await sleep(plan.around_ms);
      const from = performance.now();
      const recording = recordReports(florin, postgres.directory);
      await keepFull(plan, recording.doctor);
      const freed = performance.now();
      const returned = await nextWrite(freed);
      await sleep(plan.around_ms);
      isOver = true;
      const load = await paying;
      const reports = await recording.end();
      const { records, differences } = await compareRunning({ adminUrl, dataDir }, payer.accepted);
      const own = answers.slice(first);
      const writes = own.filter(isWrite).map(({ at }) => at);
      return {
        ...reports,
        gap_ms: longestGap(writes, from, returned),
        return_ms: returned - freed,
        payments: load.payments.length,
        failed: own.filter((answer) => !succeeded(answer)).map(({ status }) => String(status)),
        differences: [...load.errors, ...findChanged(load, records.payments), ...differences],
      };
    } finally {
      isOver = true;
      plan.disk.free();
      await paying;
    }
  }

  function lastStatuses(): string {
    return answers
      .slice(-STATUSES_SHOWN)
      .map(({ method, status }) => `${method} ${status}`)
      .join(', ');
  }

  async function nextWrite(after: number): Promise<number> {
    for (;;) {
      const write = answers.findLast(isWrite);
      if (write && write.at > after) return write.at;
      if (performance.now() > after + RETURN_LIMIT_MS)
        throw new Error(
          `no payment for ${RETURN_LIMIT_MS} ms on a free disk; last answers: ${lastStatuses()}; ${describeOutput(florin)}`,
        );
      await sleep(POLL_MS);
    }
  }
}

/** Fills the disk, and again what is freed meanwhile. Frees it when the time is over and the doctor has answered. */
async function keepFull(
  { disk, full_ms }: DiskFullPlan,
  doctor: Promise<readonly string[]>,
): Promise<void> {
  let isOver = false;
  const ending = Promise.all([sleep(full_ms), doctor]).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    disk.fill();
    await sleep(REFILL_MS);
  }
  disk.free();
  await ending;
}

const describeOutput = (florin: Processes): string => `Florin printed:\n${florin.output()}`;
