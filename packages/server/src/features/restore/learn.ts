import { setTimeout as sleep } from 'node:timers/promises';
import { factOf, replaceFact } from '../../platform/database/installation/installation-facts.ts';
import { instantText, seconds } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { captures, refunds } from '../follow-ups/kinds.ts';
import { createFollowUpOutcomeRecorder } from '../follow-ups/record-outcome.ts';
import { createPaymentOutcomeRecorder } from '../payments/record-outcome.ts';
import { closedSince } from './closed-since.ts';
import { learnFollowUps } from './follow-ups/learn-follow-ups.ts';
import { accountsWithoutChanges, learnChanges } from './learn-changes.ts';
import { learnHistory } from './learn-history.ts';
import { learnOpen } from './learn-open.ts';
import { learnPayments } from './learn-payments.ts';
import { learnRenewals } from './learn-renewals.ts';
import type { Learned } from './requests.ts';
import type { LearningRun } from './run.ts';
import { type RunLease, takeRunLease } from './run-lease.ts';
import { isClosedFor } from './sql/run-holder.ts';

/** Longest time that a run waits for messages of the earlier process to arrive. Longer ones hold what is not found. */
const ARRIVAL_WAIT_S = 60;

/**
 * Asks every processor what happened after the restored time, and records it. Repeatable: what is recorded is not asked
 * again. A dry run records nothing. Throws an `Error` while another run learns.
 */
export async function learn(
  services: Services,
  restored_to: string,
  is_dry: boolean,
  signal: AbortSignal,
): Promise<Learned> {
  const begun_at = instantText(services.system_clock.now());
  await using lease = await takeRunLease(services.db, begun_at);
  if (!(await isClosedFor(services.db, restored_to))) throw new Error('the installation is open');
  const run = await beginRun(services, { restored_to, is_dry, signal, lease });
  await waitForArrivals(run, signal);
  await learnOpen(run);
  await learnPayments(run);
  await learnRenewals(run);
  await learnFollowUps(run);
  await learnChanges(run);
  const network = services.processorOf('sandbox');
  if (network) await learnHistory(run, network);
  run.notes.push(...accountNotes(services));
  const { counts, notes } = run;
  const unreported = accountsWithoutChanges(services.accounts.all()).map(
    ({ mode, name }) => `${mode} ${name}`,
  );
  const at = instantText(services.system_clock.now());
  const learned = { restored_to, at, counts, notes, unreported };
  if (!is_dry) await replaceFact(services.db, 'restore_learned', JSON.stringify(learned));
  return learned;
}

interface RunOptions extends Pick<LearningRun, 'restored_to' | 'is_dry'> {
  readonly signal: AbortSignal;
  readonly lease: RunLease;
}

async function beginRun(
  services: Services,
  { restored_to, is_dry, signal, lease }: RunOptions,
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
      lease.require();
      const at = instantText(system_clock.now());
      await replaceFact(db, 'restore_progress', `${counts.asked} questions asked at ${at}`);
    },
  };
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
    .map(({ name, mode, processor: { inquire, changes, metadata } }) => {
      const asked = inquire ? 'by reference' : 'not at all: it holds what is due';
      const later = changes ? 'payments' : 'payments, captures, refunds and releases';
      return `${mode} account ${name} (${metadata.display_name}) answers ${asked} and has no list of payments. Compare it since the restored time: Florin has no record of ${later} that it could not ask about.`;
    });

/** The restored time while the installation is closed. */
export const restoredTo = ({ db }: Pick<Services, 'db'>): Promise<string | undefined> =>
  factOf(db, 'restored');
