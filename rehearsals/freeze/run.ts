import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '@florin/cli/kernel/poll.ts';
import { findChanged, isWrite, succeeded } from '../support/answers.ts';
import { type Cluster, type ClusterOptions, startCluster } from '../support/cluster.ts';
import { compareRunning } from '../support/compare.ts';
import { longestGap } from '../support/figures.ts';
import { type Pace, type PacedLoad, takePaymentsUntil } from '../support/load.ts';
import { createPayer, type Payer } from '../support/payer.ts';
import { watchReadiness } from '../support/readiness.ts';
import { createTimeline, type Timeline } from '../support/timeline.ts';
import { freeze, type Installation, type PartName } from './parts.ts';
import { describeUnready } from './unready.ts';

/** Longest time until payments end again: requests and lost responses have limits of half a minute. */
const RECOVERY_LIMIT_MS = 180_000;
const PROBE_MS = 250;

export interface FreezePlan
  extends Pick<ClusterOptions, 'dataDir' | 'postgresUrl' | 'apis' | 'workers'>,
    Omit<Pace, 'name'> {
  /** Directory of a PostgreSQL that nobody else uses, where the database freezes. */
  readonly databaseDir?: string;
  readonly parts: readonly PartName[];
  /** Length of each freeze. */
  readonly seconds: number;
  /** Payments that end before each freeze, and payments that begin and end after it. */
  readonly payments: number;
}

/** Effects of one freeze, as merchants and operators see them. */
export interface Freeze {
  readonly part: PartName;
  /** Longest time between two writes that were accepted. */
  readonly write_gap_ms: number;
  /** Longest time between the outcomes of two payments. */
  readonly outcome_gap_ms: number;
  /** Time from the end of the freeze to the next outcome of a payment. */
  readonly recovery_ms: number;
  /** States of the apis' readiness other than `ready`, with their seconds. */
  readonly unready: readonly string[];
  /** Outcomes of payments. A failed payment has its reason. */
  readonly outcomes: readonly string[];
  /** Requests that did not succeed, a word each. Each was repeated. */
  readonly failed: readonly string[];
  /** Messages whose outcome was unknown for a while. */
  readonly unknown: number;
  readonly differences: readonly string[];
}

interface Shop {
  readonly plan: FreezePlan;
  readonly cluster: Cluster;
  readonly installation: Installation;
  readonly payer: Payer;
  readonly timeline: Timeline;
}

/** Takes payments, freezes each part in turn, and compares all ledgers after each. */
export async function rehearseFreezes(
  plan: FreezePlan,
  onFreeze: (freeze: Freeze) => void = () => {},
): Promise<Freeze[]> {
  await using cluster = await startCluster({ ...plan, vaults: 2 });
  const timeline = createTimeline();
  const payer = timeline.watch(createPayer(cluster.apis, cluster.secretKey, timeline.onAnswer));
  await payer.prepare();
  const installation = { cluster, databaseDir: plan.databaseDir };
  const shop = { plan, cluster, installation, payer, timeline };
  const freezes: Freeze[] = [];
  for (const part of plan.parts) {
    const freeze = await rehearseFreeze(shop, part);
    freezes.push(freeze);
    onFreeze(freeze);
  }
  return freezes;
}

async function rehearseFreeze(shop: Shop, part: PartName): Promise<Freeze> {
  const { plan, cluster, payer, timeline } = shop;
  const { answers, ended } = timeline;
  const first = { answer: answers.length, payment: payer.accepted.length };
  let isOver = false;
  const paying = takePaymentsUntil(payer, { ...plan, name: part }, () => isOver);
  const readiness = watchReadiness(cluster.apis, PROBE_MS);
  try {
    const { from, until } = await freezeDuringPayments(shop, part);
    isOver = true;
    const load = await paying;
    const { records, differences } = await compareRunning(cluster, payer.accepted);
    const own = answers.slice(first.answer);
    const ids = new Set<unknown>(payer.accepted.slice(first.payment).map(({ id }) => id));
    const endTimes = ended.map(({ at }) => at).toSorted((a, b) => a - b);
    return {
      part,
      write_gap_ms: longestGap(
        own.filter(isWrite).map(({ at }) => at),
        from,
        until,
      ),
      outcome_gap_ms: longestGap(endTimes, from, until),
      recovery_ms: (endTimes.find((at) => at > until) ?? Number.NaN) - until,
      unready: describeUnready(readiness.seen, from),
      outcomes: outcomesOf(load),
      failed: own.filter((answer) => !succeeded(answer)).map(({ status }) => String(status)),
      unknown: records.attempts.filter(
        ({ payment_demand_id, unknown_since }) =>
          unknown_since !== null && ids.has(payment_demand_id),
      ).length,
      differences: [...load.errors, ...findChanged(load, records.payments), ...differences],
    };
  } finally {
    isOver = true;
    await readiness[Symbol.asyncDispose]();
    await paying;
  }
}

/** Returns the times of a freeze once payments have ended before it, and others have begun and ended after it. */
async function freezeDuringPayments(
  { plan, installation, timeline: { ended } }: Shop,
  part: PartName,
) {
  const before = ended.length + plan.payments;
  await waitFor('before the freeze', () => ended.length >= before);
  const from = performance.now();
  {
    using _frozen = freeze(part, installation);
    await sleep(plan.seconds * 1_000);
  }
  const until = performance.now();
  const hasRecovered = () => ended.filter(({ began }) => began > until).length >= plan.payments;
  await waitFor(`after the freeze of ${part}`, hasRecovered);
  return { from, until };
}

async function waitFor(moment: string, isReached: () => boolean): Promise<void> {
  if (await waitUntil(isReached, RECOVERY_LIMIT_MS)) return;
  throw new Error(`Payments do not go on ${moment}.`);
}

const outcomesOf = ({ payments }: PacedLoad): string[] =>
  payments.map(({ attributes: { status, failure_reason } }) =>
    [status, failure_reason].filter(Boolean).join(': '),
  );
