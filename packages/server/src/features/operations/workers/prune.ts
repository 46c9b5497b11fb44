import { pruneKeys } from '../../../platform/database/idempotency.ts';
import { pruneTries } from '../../../platform/rates/shared-tries.ts';
import { instantText, seconds } from '../../../platform/time/clock.ts';
import { startLoop } from '../../../platform/workers/loop.ts';
import type { Services } from '../../../services.ts';
import { pruneStops } from '../../cells/sql/stops.ts';
import { pruneThreeDSecure } from '../../checkout/threeds/prune.ts';
import { pruneDisputeFiles } from '../../disputes/files/prune.ts';
import { pruneEmails } from '../../emails/prune.ts';
import { pruneMemberNotifications } from '../../member-notifications/prune.ts';
import { pruneAccounts, pruneSignIns } from '../../people/accounts/prune.ts';
import { pruneNotifications } from '../../processor-notifications/prune.ts';
import { pruneRequests } from '../../request-log/prune.ts';
import { pruneAttempts } from '../../webhooks/attempts.ts';
import { createEventPruner, type EventPruner } from '../../webhooks/prune-events.ts';
import { createPausedStopper, type PausedStopper } from '../../webhooks/stop.ts';
import { pruneCrashed } from '../heartbeats.ts';

const POLL_MS = 60_000;
/** Time for which a cell knows where a merchant has moved. Routers ask the directory for older entries. */
const STOP_LIFE = seconds(24 * 60 * 60);
/** Rows per statement. After a full batch, the next batch starts immediately. */
const PRUNE_BATCH_MAX = 1_000;

/** Rounds of a step. Beside a pruner that always fails, each other one can prune 100,000 rows a minute. */
const ROUNDS_MAX = 100;

/** Prunes a batch. Returns whether there may be more. */
export type Pruner = () => Promise<boolean>;

/**
 * Prunes rows past their retention: idempotency keys, attempt counts, authentications, events with their deliveries,
 * webhook attempts, emails, dispute files, sign-in and audit records. Stops backlogs of paused subscriptions.
 */
export function startPruneLoop(services: Services): AsyncDisposable {
  const events = createEventPruner(services);
  const paused = createPausedStopper(services);
  const state = { isStopping: false };
  // A jump of the clock does not hurry it.
  const loop = startLoop(
    { ...services, clock: {} },
    {
      name: 'prune',
      poll_ms: POLL_MS,
      step: () => pruneRounds(prunersOf(services, events, paused), () => state.isStopping),
    },
  );
  return {
    async [Symbol.asyncDispose]() {
      state.isStopping = true;
      await loop[Symbol.asyncDispose]();
    },
  };
}

/**
 * Runs all pruners, then in rounds those that had more, until none has, or the loop stops. A failed pruner waits for the
 * next step, and its error is thrown after the others have pruned. Returns whether there may be more.
 */
export async function pruneRounds(
  pruners: readonly Pruner[],
  isStopping: () => boolean = () => false,
): Promise<boolean> {
  const errors: unknown[] = [];
  let rest = pruners;
  for (let round = 0; round < ROUNDS_MAX && rest.length > 0; round += 1) {
    const unfinished: Pruner[] = [];
    for (const prune of rest) {
      if (isStopping()) return false;
      try {
        if (await prune()) unfinished.push(prune);
      } catch (error) {
        errors.push(error);
      }
    }
    rest = unfinished;
  }
  if (errors.length > 0) throw errors[0];
  return rest.length > 0;
}

function prunersOf(
  services: Services,
  events: EventPruner,
  paused: PausedStopper,
): readonly Pruner[] {
  const { db, global, clock, system_clock } = services;
  const now = clock.now();
  const batches: readonly (() => Promise<number>)[] = [
    () => pruneKeys(db, instantText(now), PRUNE_BATCH_MAX),
    () => pruneTries(db, instantText(now), PRUNE_BATCH_MAX),
    () => pruneThreeDSecure({ db }, now, PRUNE_BATCH_MAX),
    () => pruneAttempts(db, now, PRUNE_BATCH_MAX),
    () => pruneRequests(db, now, PRUNE_BATCH_MAX),
    ...[...new Set([db, global])].map(
      (each) => () => pruneAccounts(each, system_clock.now(), PRUNE_BATCH_MAX),
    ),
    () => pruneSignIns(global, system_clock.now(), PRUNE_BATCH_MAX),
    () => pruneMemberNotifications(db, system_clock.now(), PRUNE_BATCH_MAX),
    () => pruneNotifications(db, system_clock.now(), PRUNE_BATCH_MAX),
    () => pruneDisputeFiles(db, now, PRUNE_BATCH_MAX),
    () => pruneCrashed(db, system_clock.now(), PRUNE_BATCH_MAX),
    () => pruneEmails(services, PRUNE_BATCH_MAX),
    () => pruneStops(db, instantText(system_clock.now() - STOP_LIFE), PRUNE_BATCH_MAX),
  ];
  return [
    async () => {
      await events.prune(PRUNE_BATCH_MAX);
      return events.wasFull();
    },
    async () => {
      await paused.stop(PRUNE_BATCH_MAX);
      return paused.hasMore();
    },
    ...batches.map((prune) => async () => (await prune()) === PRUNE_BATCH_MAX),
  ];
}
