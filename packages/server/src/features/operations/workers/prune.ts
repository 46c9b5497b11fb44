import { pruneKeys } from '../../../platform/database/idempotency.ts';
import { pruneTries } from '../../../platform/rates/shared-tries.ts';
import { instantText } from '../../../platform/time/clock.ts';
import { startLoop } from '../../../platform/workers/loop.ts';
import type { Services } from '../../../services.ts';
import { pruneThreeDSecure } from '../../checkout/threeds/prune.ts';
import { pruneDisputeFiles } from '../../disputes/files/prune.ts';
import { pruneEmails } from '../../emails/prune.ts';
import { pruneAccounts } from '../../people/accounts/prune.ts';
import { pruneNotifications } from '../../processor-notifications/prune.ts';
import { pruneRequests } from '../../request-log/prune.ts';
import { pruneAttempts } from '../../webhooks/attempts.ts';
import { stopOfPaused } from '../../webhooks/stop.ts';
import { pruneCrashed } from '../heartbeats.ts';

const POLL_MS = 60_000;
/** Rows per statement. After a full batch, the next batch starts immediately. */
const PRUNE_BATCH_MAX = 1_000;

/**
 * Prunes rows past their retention: idempotency keys, attempt counts, authentications, webhook
 * attempts, emails, dispute files, sign-in and audit records, and backlogs of paused subscriptions.
 */
export const startPruneLoop = (services: Services): AsyncDisposable =>
  // A jump of the clock does not hurry it.
  startLoop(
    { ...services, clock: {} },
    { name: 'prune', poll_ms: POLL_MS, step: () => pruneAll(services) },
  );

async function pruneAll(services: Services): Promise<boolean> {
  const { db, clock } = services;
  const now = clock.now();
  const deletedCounts = [
    await pruneKeys(db, instantText(now), PRUNE_BATCH_MAX),
    await pruneTries(db, instantText(now), PRUNE_BATCH_MAX),
    await pruneThreeDSecure({ db }, now, PRUNE_BATCH_MAX),
    await pruneAttempts(db, now, PRUNE_BATCH_MAX),
    await pruneRequests(db, now, PRUNE_BATCH_MAX),
    await pruneAccounts(db, services.system_clock.now(), PRUNE_BATCH_MAX),
    await pruneNotifications(db, services.system_clock.now(), PRUNE_BATCH_MAX),
    await pruneDisputeFiles(db, now, PRUNE_BATCH_MAX),
    await pruneCrashed(db, services.system_clock.now(), PRUNE_BATCH_MAX),
    await pruneEmails(services, PRUNE_BATCH_MAX),
    await stopOfPaused(services, PRUNE_BATCH_MAX),
  ];
  return deletedCounts.some((count) => count === PRUNE_BATCH_MAX);
}
