import { instantText, seconds } from '../../../platform/time/clock.ts';
import { startLoop } from '../../../platform/workers/loop.ts';
import type { Services } from '../../../services.ts';
import { applyNotification } from '../apply.ts';
import { claimNotifications } from '../sql/notifications.ts';

/** Notifications per claim. Facts of one payment are applied one after the other. */
const CLAIM_MAX = 50;
/** Time in which a claimed batch must be done, else other processes claim it. */
const LEASE_SECONDS = 60;

/** Starts the loop that applies stored notifications, in any order. */
export const startNotificationsLoop = (services: Services): AsyncDisposable =>
  startLoop(services, {
    name: 'processor-notifications',
    wake: services.wake.notification,
    poll_ms: services.config.work_poll_ms,
    due: [{ table: 'processor_notifications' }],
    async step() {
      const now = services.system_clock.now();
      const rows = await claimNotifications(services.db, {
        now: instantText(now),
        lease_until: instantText(now + seconds(LEASE_SECONDS)),
        limit: CLAIM_MAX,
      });
      for (const row of rows) await applyNotification(services, row);
      return rows.length === CLAIM_MAX;
    },
  });
