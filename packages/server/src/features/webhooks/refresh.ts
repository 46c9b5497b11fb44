import { createBatcher } from '../../platform/concurrency/batcher.ts';
import { keyText } from '../../platform/database/row-key.ts';
import { type Micros, seconds } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import type { DeliveryChange } from './delivery.ts';
import { dispatchOf, type Letter } from './dispatch.ts';
import { withSubscriptions } from './load.ts';

/** After this wait, a message uses its subscription's current address and secret. */
const FRESH: Micros = seconds(2);

/** Next step for a queued message: send it, or change its delivery. */
export type Refreshed = { readonly letter: Letter } | { readonly change: DeliveryChange };

export type Refresh = (letter: Letter, claimed_at: Micros) => Promise<Refreshed>;

/** Reloads the subscriptions of messages that waited; concurrent ones share a query. */
export function createRefresh(services: Pick<Services, 'db' | 'clock' | 'sealer'>): Refresh {
  const look = createBatcher({
    run: (letters: readonly Letter[]) => refreshAll(services, letters),
  });
  return async (letter, claimed_at) =>
    services.clock.now() - claimed_at <= FRESH ? { letter } : look(letter);
}

async function refreshAll(
  services: Pick<Services, 'db' | 'clock' | 'sealer'>,
  letters: readonly Letter[],
): Promise<Refreshed[]> {
  const { send, keep } = await dispatchOf(services, await withSubscriptions(services.db, letters));
  const outcomes = new Map<string, Refreshed>([
    ...send.map((letter) => [keyText(letter.delivery), { letter }] as const),
    ...keep.map(({ delivery, change }) => [keyText(delivery), { change }] as const),
  ]);
  return letters.map((letter) => outcomes.get(keyText(letter.delivery)) ?? { letter });
}
