import { instantText } from '../../../platform/time/clock.ts';
import { startLoop } from '../../../platform/workers/loop.ts';
import type { World } from '../../../services.ts';
import { makeOver } from '../../timelines/sql/world-work.ts';

/**
 * Webhook messages are sent at the merchant's time: deliveries caused by a customer with a later
 * clock are rescheduled.
 */
export const startMakeOverLoop = ({ merchant_id, services }: World): AsyncDisposable =>
  startLoop({
    name: 'make-over',
    logger: services.logger,
    pulses: services.pulses,
    wake: services.wake.deliver,
    poll_ms: services.config.work_poll_ms,
    async step() {
      const merchant = services.worlds.of({ merchant_id, mode: 'sandbox' });
      const now = instantText(merchant.clock.now());
      if ((await makeOver(services.db, merchant_id, now)) > 0) merchant.wake.deliver.raise();
      return false;
    },
  });
