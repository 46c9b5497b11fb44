import { startEachMode } from '../../../platform/workers/each-mode.ts';
import { startLoop } from '../../../platform/workers/loop.ts';
import type { Services } from '../../../services.ts';
import { closeRequested } from '../close-requested.ts';
import { readDisputeNotifications } from '../notifications.ts';
import { respondDue } from '../respond.ts';

/** Loops of each mode: send merchants' responses, read notifications, and close what commands ask for. */
export const startDisputeLoops = (services: Services): AsyncDisposable[] =>
  startEachMode(services, {
    name: 'dispute',
    wake: services.wake.dispute,
    async step(mode) {
      const hasResponded = await respondDue(services, mode);
      const hasReceived = await readDisputeNotifications(services, mode);
      const hasClosed = await closeRequested(services, mode);
      return hasResponded || hasReceived || hasClosed;
    },
  });

/**
 * Loop of a sandbox timeline: sends responses only. The default timeline's loop reads notifications
 * for all timelines.
 */
export const startRespondLoop = (services: Services): AsyncDisposable =>
  startLoop(services, {
    name: 'respond',
    wake: services.wake.dispute,
    poll_ms: services.config.work_poll_ms,
    step: () => respondDue(services, 'sandbox'),
  });
