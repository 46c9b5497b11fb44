import { instantText } from '../../../platform/time/clock.ts';
import { startLoop } from '../../../platform/workers/loop.ts';
import type { Timeline } from '../../../services.ts';
import { rescheduleMerchant } from '../../timelines/sql/timeline-work.ts';

/**
 * Reschedules deliveries to the merchant's time. A customer with a later clock can cause deliveries
 * with a due time in the merchant's future.
 */
export const startRescheduleLoop = ({ merchant_id, services }: Timeline): AsyncDisposable =>
  startLoop(services, {
    name: 'reschedule',
    wake: services.wake.reschedule,
    poll_ms: services.config.work_poll_ms,
    async step() {
      const merchant = services.timelines.of({ merchant_id, mode: 'sandbox' });
      const now = instantText(merchant.clock.now());
      if ((await rescheduleMerchant(services.db, merchant_id, now)) > 0)
        merchant.wake.deliver.raise();
      return false;
    },
  });
