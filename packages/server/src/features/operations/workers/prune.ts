import { forgetKeys } from '../../../platform/database/idempotency.ts';
import { forgetTries } from '../../../platform/rates/shared-tries.ts';
import { instantText } from '../../../platform/time/clock.ts';
import { startLoop } from '../../../platform/workers/loop.ts';
import type { Services } from '../../../services.ts';
import { forgetThreeDSecure } from '../../checkout/threeds/forget.ts';
import { forgetLetters } from '../../emails/forget.ts';
import { forgetAccounts } from '../../people/accounts/forget.ts';
import { forgetRequests } from '../../request-log/forget.ts';
import { forgetAttempts } from '../../webhooks/attempts.ts';
import { stopOfPaused } from '../../webhooks/stop.ts';
import { forgetGone } from '../heartbeats.ts';

const POLL_MS = 60_000;
/** Rows per statement; after a full batch, the next follows immediately. */
const PRUNE_BATCH_MAX = 1_000;

/**
 * Prunes everything past its retention: idempotency keys, attempt counts, authentications, webhook
 * attempts, emails, sign-in and audit records, and backlogs of paused subscriptions.
 */
export const startPruneLoop = (services: Services): AsyncDisposable =>
  startLoop({
    name: 'prune',
    logger: services.logger,
    pulses: services.pulses,
    poll_ms: POLL_MS,
    step: () => forget(services),
  });

async function forget(services: Services): Promise<boolean> {
  const { db, clock } = services;
  const now = clock.now();
  const forgotten = [
    await forgetKeys(db, instantText(now), PRUNE_BATCH_MAX),
    await forgetTries(db, instantText(now), PRUNE_BATCH_MAX),
    await forgetThreeDSecure({ db }, now, PRUNE_BATCH_MAX),
    await forgetAttempts(db, now, PRUNE_BATCH_MAX),
    await forgetRequests(db, now, PRUNE_BATCH_MAX),
    await forgetAccounts(db, services.machine.now(), PRUNE_BATCH_MAX),
    await forgetGone(db, services.machine.now(), PRUNE_BATCH_MAX),
    await forgetLetters(services, PRUNE_BATCH_MAX),
    await stopOfPaused(services, PRUNE_BATCH_MAX),
  ];
  return forgotten.some((count) => count === PRUNE_BATCH_MAX);
}
