import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '@florin/cli/database/client.ts';
import { networkPaths } from '@florin/contract/protocol/network.ts';
import { readNetworkLedger } from './books.ts';
import { findUnapproved } from './checks/book-checks.ts';
import { differencesIn, isPurchase } from './checks/checks.ts';
import { type Installation, type RunEnvironment, startInstallation } from './installation.ts';
import type { Outcome } from './outcome.ts';
import { planOf } from './plan.ts';
import { readOpenWork, readRecords } from './records.ts';
import { createMerchant, type Merchant } from './scenarios/merchant.ts';
import { startReceiver } from './scenarios/receiver.ts';
import { runScenarios } from './scenarios/scenarios.ts';

/** Result of a run. */
export interface Report {
  readonly seed: number;
  /** Differences from the expected state: lost, duplicated or unfinished work. Empty if there are none. */
  readonly differences: readonly string[];
  /** Whether the network approved nothing, as when an overloaded computer sends every payment too late. */
  readonly has_no_approval: boolean;
  readonly counts: Readonly<Record<string, number>>;
  /** Kill points at which processes killed themselves. */
  readonly kills: readonly string[];
  readonly seconds: number;
}

/** Runs the plan of a seed, or only its first scenarios, and checks the final state. */
export async function runSeed(
  seed: number,
  environment: RunEnvironment,
  scenarios?: number,
): Promise<Report> {
  const fullPlan = planOf(seed);
  const plan = { ...fullPlan, scenarios: fullPlan.scenarios.slice(0, scenarios) };
  const startedAt = performance.now();
  await using installation = await startInstallation(plan, environment);
  await using receiver = await startReceiver(plan.hookResponses);
  const merchant = createMerchant(installation.baseUrl, installation.secretKey);
  const differences: string[] = [];
  const recordDifference = (error: Error): void => void differences.push(error.message);

  await runScenarios(merchant, plan, receiver.url).catch(recordDifference);
  installation.calmDown();
  await waitUntilIdle(installation).catch(recordDifference);
  await repeatCreates(merchant).catch(recordDifference);
  const records = await withClient(installation.adminUrl, readRecords);
  await installation.stop();
  const outcome = {
    plan,
    acceptedWrites: merchant.acceptedWrites,
    records,
    networkLedger: readNetworkLedger(installation.dataDir),
    receivedEvents: receiver.acceptedEvents,
  };
  differences.push(
    ...merchant.unexpected,
    ...findUnplannedExits(installation),
    ...differencesIn(outcome),
  );
  return {
    seed,
    differences,
    has_no_approval: findUnapproved(outcome).length > 0,
    counts: countsOf(outcome, merchant, installation),
    kills: installation.kills(),
    seconds: (performance.now() - startedAt) / 1_000,
  };
}

const IDLE_LIMIT_MS = 60_000;
const POLL_MS = 200;

/** Waits until no work is left. */
async function waitUntilIdle({ adminUrl, simulatorUrl }: Installation): Promise<void> {
  const deadline = performance.now() + IDLE_LIMIT_MS;
  for (;;) {
    const work = await withClient(adminUrl, readOpenWork).catch(() => undefined);
    const isIdle = work?.open === 0;
    if (isIdle && !(await hasNotifications(simulatorUrl, work.position).catch(() => true))) return;
    if (performance.now() > deadline) {
      throw new Error(`work is left after ${IDLE_LIMIT_MS / 1_000} s`);
    }
    await sleep(POLL_MS);
  }
}

async function hasNotifications(simulatorUrl: string, position: number): Promise<boolean> {
  const response = await fetch(simulatorUrl + networkPaths.disputesAfter(position));
  return ((await response.json()) as { disputes: unknown[] }).disputes.length > 0;
}

/** Repeats all creates with their keys. Each must return the same record again. */
async function repeatCreates(merchant: Merchant): Promise<void> {
  const createWrites = merchant.acceptedWrites.filter(isPurchase);
  for (const { key, path, body } of createWrites) {
    await merchant.write(key, 'POST', path, body as object);
  }
}

const ENDED = /ended (?:unexpectedly|\d+ times)/;
const ENDED_BEFORE_REPORT = /ended while it started/;

/** Exits of processes that were neither planned nor failed starts with a reason. */
function findUnplannedExits({ printedSentences, kills }: Installation): string[] {
  const exits = printedSentences.filter((sentence) => ENDED.test(sentence));
  const reasons = printedSentences.filter(
    (sentence) => !ENDED.test(sentence) && !ENDED_BEFORE_REPORT.test(sentence),
  );
  return exits.length === kills().length + reasons.length
    ? []
    : [`${kills().length} exits of processes were planned: ${printedSentences.join(' ')}`];
}

function countsOf(
  { records, networkLedger, receivedEvents }: Outcome,
  merchant: Merchant,
  installation: Installation,
): Report['counts'] {
  const { counts } = installation.database;
  const isApproved = ({ result }: { result: string }): boolean => result === 'approved';
  return {
    payments: records.payments.length,
    approvals: networkLedger.authorisations.filter(isApproved).length,
    captures: networkLedger.captures.filter(isApproved).length,
    refunds: networkLedger.refunds.filter(isApproved).length,
    disputes: networkLedger.disputes.length,
    subscriptions: records.subscriptions.length,
    'periods charged': records.periods.length,
    'moved clocks': records.clocks.filter(({ reached_at }) => reached_at).length,
    kills: installation.kills().length,
    stalls: installation.stalls().length,
    cuts: counts.cut + counts.lose,
    crashes: counts.crash,
    'faulty messages': installation.networkFaults().length,
    'requests again': merchant.repeats(),
    'unknowns resolved': records.attempts.filter(({ unknown_since }) => unknown_since).length,
    events: records.events.length,
    deliveries: receivedEvents.length,
  };
}
