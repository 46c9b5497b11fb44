import type { Services } from '../features/services.ts';
import { billDue } from '../features/subscriptions/bill.ts';
import { startLoop } from './loop.ts';

/** Bills subscriptions when they are due, tries charges again that failed, and ends what has to end. */
export const startBillLoop = (services: Services): AsyncDisposable =>
  startLoop({
    name: 'bill',
    logger: services.logger,
    poll_ms: services.config.work_poll_ms,
    async step() {
      const billed = await billDue(services);
      if (billed === 0) return false;
      services.wake.authorise.raise();
      services.wake.deliver.raise();
      return true;
    },
  });
