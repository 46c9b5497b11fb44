import { createBatcher } from '../../platform/concurrency/batcher.ts';
import { keyText } from '../../platform/database/row-key.ts';
import { type Micros, seconds } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import type { DeliveryChange } from './delivery.ts';
import { divideClaimedDeliveries, type WebhookMessage } from './dispatch.ts';
import { withSubscriptions } from './load.ts';

/** After this wait, a message needs the current address and secret of its subscription. */
const FRESH: Micros = seconds(2);

/** Next step for a queued message: send it, or change its delivery. */
export type RefreshResult =
  | { readonly message: WebhookMessage }
  | { readonly change: DeliveryChange };

export type Refresh = (message: WebhookMessage, claimed_at: Micros) => Promise<RefreshResult>;

/** Loads the subscriptions of waiting messages again; concurrent messages share a query. */
export function createRefresh(services: Pick<Services, 'db' | 'clock' | 'sealer'>): Refresh {
  const refreshBatched = createBatcher({
    run: (messages: readonly WebhookMessage[]) => refreshAll(services, messages),
    ownerOf: ({ delivery }) => delivery.merchant_id as string,
  });
  return async (message, claimed_at) =>
    services.clock.now() - claimed_at <= FRESH ? { message } : refreshBatched(message);
}

async function refreshAll(
  services: Pick<Services, 'db' | 'clock' | 'sealer'>,
  messages: readonly WebhookMessage[],
): Promise<RefreshResult[]> {
  const { send, unsent } = await divideClaimedDeliveries(
    services,
    await withSubscriptions(services.db, messages),
  );
  const outcomes = new Map<string, RefreshResult>([
    ...send.map((message) => [keyText(message.delivery), { message }] as const),
    ...unsent.map(({ delivery, change }) => [keyText(delivery), { change }] as const),
  ]);
  return messages.map((message) => outcomes.get(keyText(message.delivery)) ?? { message });
}
