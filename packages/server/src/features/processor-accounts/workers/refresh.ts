import { startLoop } from '../../../platform/workers/loop.ts';
import type { Services } from '../../../services.ts';

/** Starts the loop that reads changes of accounts and rules that other servers made. */
export const startAccountsLoop = (services: Services): AsyncDisposable =>
  startLoop(services, {
    name: 'processor-accounts',
    poll_ms: services.config.timelines_poll_ms,
    async step() {
      await services.accounts.refresh();
      return false;
    },
  });
