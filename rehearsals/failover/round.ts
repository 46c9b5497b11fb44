import { setTimeout as sleep } from 'node:timers/promises';
import { findChanged, isWrite, succeeded, type TimedAnswer } from '../support/answers.ts';
import type { Cluster } from '../support/cluster.ts';
import { compareRunning } from '../support/compare.ts';
import { longestGap } from '../support/figures.ts';
import { takePaymentsUntil } from '../support/load.ts';
import type { Payer } from '../support/payer.ts';
import type { HighAvailability } from './database.ts';
import { FAULTS, type FaultName } from './faults.ts';
import type { Probe } from './probe.ts';

/** Time of payments after all machines work again. */
const TAIL_MS = 3_000;

/** One way for Florin to reach the database, with a merchant whose requests are recorded. */
export interface Way {
  readonly database: HighAvailability;
  readonly probe: Probe;
  readonly name: string;
  readonly cluster: Cluster;
  readonly payer: Payer;
  /** All answers up to now. */
  readonly answers: readonly TimedAnswer[];
}

export interface RoundPlan {
  readonly fault: FaultName;
  readonly name: string;
  /** Time of payments before the fault. */
  readonly before_ms: number;
  readonly per_second: number;
  readonly at_once: number;
}

export interface Round {
  readonly way: string;
  readonly fault: FaultName;
  /** Longest time between two successful writes. */
  readonly gap_ms: number;
  /** Longest time between two successful writes without Florin. */
  readonly database_gap_ms: number;
  /** Machines that did not return by themselves, so that their database was copied again. */
  readonly copied: readonly string[];
  readonly payments: number;
  /** Requests that did not succeed, a word each. Each was repeated. */
  readonly failed: readonly string[];
  readonly differences: readonly string[];
}

/** Takes payments, injects a fault, waits until all works again, and compares all ledgers. */
export async function runRound(way: Way, plan: RoundPlan): Promise<Round> {
  const { database, probe, cluster, payer, answers } = way;
  const first = answers.length;
  let isOver = false;
  const paying = takePaymentsUntil(payer, plan, () => isOver);
  try {
    await sleep(plan.before_ms);
    const from = performance.now();
    await FAULTS[plan.fault].inject(database);
    const copied = await database.complete();
    const until = performance.now();
    await sleep(TAIL_MS);
    isOver = true;
    const load = await paying;
    const { records, differences } = await compareRunning(cluster, payer.accepted);
    const own = answers.slice(first);
    return {
      way: way.name,
      fault: plan.fault,
      gap_ms: longestGap(
        own.filter(isWrite).map(({ at }) => at),
        from,
        until,
      ),
      database_gap_ms: longestGap(probe.times, from, until),
      copied,
      payments: load.payments.length,
      failed: own.filter((answer) => !succeeded(answer)).map(({ status }) => String(status)),
      differences: [...load.errors, ...findChanged(load, records.payments), ...differences],
    };
  } finally {
    isOver = true;
    await paying;
  }
}
