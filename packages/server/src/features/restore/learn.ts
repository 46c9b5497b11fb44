import { setTimeout as sleep } from 'node:timers/promises';
import {
  factOf,
  replaceFact,
  storeFact,
} from '../../platform/database/installation/installation-facts.ts';
import { instantText, type Micros, microsOf, seconds } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { captures, refunds } from '../follow-ups/kinds.ts';
import { createFollowUpOutcomeRecorder } from '../follow-ups/record-outcome.ts';
import { createPaymentOutcomeRecorder } from '../payments/record-outcome.ts';
import { learnFollowUps } from './learn-follow-ups.ts';
import { learnHistory } from './learn-history.ts';
import { learnOpen } from './learn-open.ts';
import { learnPayments } from './learn-payments.ts';
import { learnRenewals } from './learn-renewals.ts';
import type { Learned } from './requests.ts';
import type { LearningRun } from './run.ts';
import { countAccountHolds } from './sql/known-records.ts';

/** Longest time that a run waits for messages of the earlier process to arrive. Longer ones hold what is not found. */
const ARRIVAL_WAIT_S = 60;

/**
 * Asks every processor what happened after the restored time, and records it. Repeatable: what is recorded is not asked
 * again. A dry run records nothing.
 */
export async function learn(
  services: Services,
  restored_to: string,
  is_dry: boolean,
  signal: AbortSignal,
): Promise<Learned> {
  const run = await beginRun(services, restored_to, is_dry, signal);
  await waitForArrivals(run, signal);
  await learnOpen(run);
  await learnPayments(run);
  await learnRenewals(run);
  await learnFollowUps(run);
  const network = services.processorOf('sandbox');
  if (network) await learnHistory(run, network);
  run.notes.push(...accountNotes(services), ...(await holdNotes(services)));
  const { counts, notes } = run;
  const at = instantText(services.system_clock.now());
  const learned = { restored_to, at, counts, notes };
  if (!is_dry) await replaceFact(services.db, 'restore_learned', JSON.stringify(learned));
  return learned;
}

async function beginRun(
  services: Services,
  restored_to: string,
  is_dry: boolean,
  signal: AbortSignal,
): Promise<LearningRun> {
  const { db, system_clock } = services;
  const counts = {
    asked: 0,
    recovered: 0,
    created: 0,
    declined: 0,
    follow_ups: 0,
    ended: 0,
    held: 0,
  };
  const since = await closedSince(services, restored_to);
  return {
    services,
    restored_to,
    since,
    is_dry,
    counts,
    found: new Set(),
    notes: [],
    recordPayment: createPaymentOutcomeRecorder(services),
    recordRefund: createFollowUpOutcomeRecorder(services, refunds),
    recordCapture: createFollowUpOutcomeRecorder(services, captures),
    async progress() {
      signal.throwIfAborted();
      const at = instantText(system_clock.now());
      await replaceFact(db, 'restore_progress', `${counts.asked} questions asked at ${at}`);
    },
  };
}

/** Since when no process sends: the first run of this restore remembers its time. */
async function closedSince({ db, system_clock }: Services, restored_to: string): Promise<Micros> {
  const now = `${restored_to} ${instantText(system_clock.now())}`;
  const stored = await storeFact(db, 'restore_since', now);
  const isOfThis = stored.startsWith(`${restored_to} `);
  if (!isOfThis) await replaceFact(db, 'restore_since', now);
  return microsOf((isOfThis ? stored : now).slice(restored_to.length + 1));
}

/** Waits until the last message of the earlier process has arrived, where that takes seconds. */
async function waitForArrivals(
  { services, since }: LearningRun,
  signal: AbortSignal,
): Promise<void> {
  const { metadata } = services.processorOf('sandbox') ?? {};
  const arrival_s = (metadata?.arrival_ms_max ?? 0) / 1_000;
  if (arrival_s > ARRIVAL_WAIT_S) return;
  const left = since + seconds(arrival_s) - services.system_clock.now();
  if (left > 0) await sleep(left / 1_000, undefined, { signal });
}

/** Limits of the accounts, a sentence each. */
const accountNotes = ({ accounts }: Services): string[] =>
  accounts
    .all()
    .filter(({ status }) => status !== 'removed')
    .map(({ name, mode, processor }) => {
      const asked = processor.inquire ? 'by reference' : 'not at all: it holds what is due';
      return `${mode} account ${name} (${processor.metadata.display_name}) answers ${asked} and has no list. Compare its payments since the restored time: Florin has no record of payments, captures, refunds and cancellations that were created later.`;
    });

/** Holds that merchants may have captured or cancelled after the restored time, a sentence for each account. */
const holdNotes = async ({ db }: Services): Promise<string[]> =>
  (await countAccountHolds(db)).map(
    ({ mode, name, number }) =>
      `${mode} account ${name} has ${number} holds of before the restored time. Compare them with the processor: later captures and cancellations have no record, and Florin reverses a hold when it expires.`,
  );

/** The restored time while the installation is closed. */
export const restoredTo = ({ db }: Pick<Services, 'db'>): Promise<string | undefined> =>
  factOf(db, 'restored');
