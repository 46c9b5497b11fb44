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
import { stopOfPaused } from '../../webhooks/stop.ts';
import { pruneCrashed } from '../heartbeats.ts';

const POLL_MS = 60_000;
/** Time for which a cell knows where a merchant has moved. Routers ask the directory for older entries. */
const STOP_LIFE = seconds(24 * 60 * 60);
/** Rows per statement. After a full batch, the next batch starts immediately. */
const PRUNE_BATCH_MAX = 1_000;

/**
 * Prunes rows past their retention: idempotency keys, attempt counts, authentications, events with their deliveries,
 * webhook attempts, emails, dispute files, sign-in and audit records. Stops backlogs of paused subscriptions.
 */
export function startPruneLoop(services: Services): AsyncDisposable {
  const events = createEventPruner(services);
  // A jump of the clock does not hurry it.
  return startLoop(
    { ...services, clock: {} },
    { name: 'prune', poll_ms: POLL_MS, step: () => pruneAll(services, events) },
  );
}

/** Runs every pruner, also after one has failed, and throws the first error afterwards. */
async function pruneAll(services: Services, events: EventPruner): Promise<boolean> {
  const counts: number[] = [];
  const errors: unknown[] = [];
  for (const prune of prunersOf(services, events)) {
    try {
      counts.push(await prune());
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  return counts.some((count) => count === PRUNE_BATCH_MAX);
}

function prunersOf(services: Services, events: EventPruner): readonly (() => Promise<number>)[] {
  const { db, global, clock, system_clock } = services;
  const now = clock.now();
  return [
    () => pruneKeys(db, instantText(now), PRUNE_BATCH_MAX),
    () => pruneTries(db, instantText(now), PRUNE_BATCH_MAX),
    () => pruneThreeDSecure({ db }, now, PRUNE_BATCH_MAX),
    () => pruneAttempts(db, now, PRUNE_BATCH_MAX),
    () => events.prune(PRUNE_BATCH_MAX),
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
    () => stopOfPaused(services, PRUNE_BATCH_MAX),
    () => pruneStops(db, instantText(system_clock.now() - STOP_LIFE), PRUNE_BATCH_MAX),
  ];
}
