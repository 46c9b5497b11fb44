import { startLoop } from '../../../platform/workers/loop.ts';
import type { Services } from '../../../services.ts';
import { fillCapabilities } from '../capabilities.ts';
import { fillIdentities } from '../fill-identities.ts';
import { createRulesPublisher } from '../publish-rules.ts';

/**
 * Starts the loop that reads changes of accounts and rules that other servers made. Work at the vault has a loop of its
 * own, because a vault that answers slowly must not hold up the rules.
 */
export const startAccountsLoops = (services: Services): readonly AsyncDisposable[] => [
  startLoop(services, {
    name: 'processor-accounts',
    poll_ms: services.config.timelines_poll_ms,
    async step() {
      await services.accounts.refresh();
      await services.account_keys.refresh();
      return false;
    },
  }),
  startPublishing(services),
];

function startPublishing(services: Services): AsyncDisposable {
  const publisher = createRulesPublisher(services);
  let isFilled = false;
  return startLoop(services, {
    name: 'egress-rules',
    poll_ms: services.config.timelines_poll_ms,
    async step() {
      await publisher.publish();
      if (isFilled) return false;
      // Last, since one account that cannot be filled must not hide changes of the others.
      await fillIdentities(services);
      await fillCapabilities(services);
      isFilled = true;
      return true;
    },
  });
}
