import { startLoop } from '../../../platform/workers/loop.ts';
import type { Services } from '../../../services.ts';
import { expireDue } from '../../checkout/threeds/expire.ts';
import { expireLinks } from '../uses.ts';

/** Starts the loop that expires overdue authentications and payment links. */
export const startExpireLoop = (services: Services): AsyncDisposable =>
  startLoop(services, {
    name: 'expire',
    wake: services.wake.expire,
    poll_ms: services.config.work_poll_ms,
    due: [
      { table: 'authentications' },
      { table: 'payment_links', column: 'expires_at', condition: "t.status = 'active'" },
    ],
    step: async () => {
      const hasMoreDue = await Promise.all([expireDue(services), expireLinks(services)]);
      return hasMoreDue.includes(true);
    },
  });
