import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, signIn } from '../../packages/server/tests/support/browser.ts';
import { findChanged, isWrite, succeeded, type TimedAnswer } from '../support/answers.ts';
import type { Cluster } from '../support/cluster.ts';
import { compareRunning } from '../support/compare.ts';
import { longestGap } from '../support/figures.ts';
import { type Pace, takePaymentsUntil } from '../support/load.ts';
import type { Payer } from '../support/payer.ts';
import type { FakeClocks } from './fake-clocks.ts';
import { countLate, readNotes, seenOffsets } from './seen.ts';

/** Time in which servers compare their clocks. */
const NOTICE_MS = 5_000;

/** Florin with clocks that can jump, and a merchant. */
export interface Setting {
  readonly cluster: Cluster;
  readonly clocks: FakeClocks;
  readonly payer: Payer;
  /** All answers up to now. */
  readonly answers: readonly TimedAnswer[];
  readonly account: { readonly email: string; readonly password: string | null };
}

export interface RoundPlan extends Pace {
  /** Processes whose clock jumps. */
  readonly jumping: readonly string[];
  readonly offset_s: number;
  /** Time of payments before the jump, and after the jump back. */
  readonly around_ms: number;
  /** Time of payments between the jump and the jump back. */
  readonly apart_ms: number;
}

export interface Round {
  readonly name: string;
  /** Offsets that the jumping processes saw, in seconds. */
  readonly seen: readonly number[];
  /** Longest time between two successful writes. */
  readonly gap_ms: number;
  /** Time from the end of payments until no work was left. */
  readonly idle_ms: number;
  readonly payments: number;
  /** Requests that did not succeed, a word each. Each was repeated. */
  readonly failed: readonly string[];
  /** Payments that wait for the time of the jump. The round then lets that time pass. */
  readonly late: number;
  /** Sentences of `/readyz` while the clocks differed. */
  readonly notes: readonly string[];
  /** Whether a session of before worked while the clocks differed, and after. */
  readonly sessions: string;
  readonly differences: readonly string[];
}

/** Takes payments while clocks jump and jump back, and compares all ledgers. */
export async function runRound(setting: Setting, plan: RoundPlan): Promise<Round> {
  const { cluster, clocks, payer, answers, account } = setting;
  const api = cluster.apis[0] ?? '';
  const first = answers.length;
  let isOver = false;
  const ids = await payer.prepare();
  const session = await signIn(api, account);
  const paying = takePaymentsUntil(payer, plan, () => isOver);
  try {
    await sleep(plan.around_ms);
    const from = performance.now();
    clocks.jump(plan.jumping, plan.offset_s);
    await sleep(NOTICE_MS);
    const offsets = await seenOffsets(cluster, clocks.passed());
    const notes = await readNotes(cluster);
    const repeated = [await payer.prepare()];
    const during = await worksFor(session);
    await sleep(Math.max(0, plan.apart_ms - NOTICE_MS));
    clocks.jump(plan.jumping, 0);
    await sleep(plan.around_ms);
    repeated.push(await payer.prepare());
    const after = await worksFor(session);
    await signIn(api, account);
    const until = performance.now();
    isOver = true;
    const late = await countLate(cluster);
    if (late > 0) clocks.pass(Math.abs(plan.offset_s));
    const load = await paying;
    const ended = performance.now();
    const { records, differences } = await compareRunning(cluster, payer.accepted);
    const own = answers.slice(first);
    const writes = own.filter(isWrite).map(({ at }) => at);
    return {
      name: plan.name,
      seen: plan.jumping.map((name) => offsets.get(name) ?? Number.NaN),
      gap_ms: longestGap(writes, from, until),
      idle_ms: performance.now() - ended,
      payments: load.payments.length,
      failed: own.filter((answer) => !succeeded(answer)).map(({ status }) => String(status)),
      late,
      notes,
      sessions: `${during}, ${after}`,
      differences: [
        ...load.errors,
        ...findChanged(load, records.payments),
        ...repeated.filter((each) => String(each) !== String(ids)).map(describeRepeated),
        ...differences,
      ],
    };
  } finally {
    isOver = true;
    clocks.jump(plan.jumping, 0);
    await paying;
  }
}

const worksFor = async (session: Browser): Promise<string> =>
  (await session.get('/dashboard/api/me')).status === 200 ? 'works' : 'ended';

const describeRepeated = (ids: readonly string[]): string =>
  `repeated requests with the same keys made other records: ${ids}`;
