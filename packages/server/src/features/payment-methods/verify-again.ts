import type { Row } from '../../platform/database/row.ts';
import type { RowKey } from '../../platform/database/transition.ts';
import type { Services } from '../../services.ts';
import { authenticateCard } from './authenticate.ts';
import { changeMethod } from './change-method.ts';
import { verifiedAs } from './verified-as.ts';

/** Banks that are asked at once: each takes a connection to the vault, of which payments need most. */
const AT_ONCE_MAX = 4;
/** Cards that wait for their turn; those beyond come again with the next try of their payment. */
const WAITING_MAX = 512;

/** Verifies cards whose banks could not be asked before. Disposed of when those under way have been asked. */
export interface Verifier extends AsyncDisposable {
  /** Never waits, and never throws: a payment that waits for its card asks again. */
  verify(methods: readonly Row[]): void;
}

/** Makes the verifier of a work loop. A card is asked about by one call at a time, the first come first. */
export function createVerifier(services: Services): Verifier {
  /** By id, in the order in which they came. */
  const waiting = new Map<string, Row>();
  const running = new Map<string, Promise<void>>();
  const add = (method: Row): void => {
    const id = method.id as string;
    if (!running.has(id) && waiting.size < WAITING_MAX) waiting.set(id, method);
  };
  function next(): void {
    for (const [id, method] of waiting) {
      if (running.size >= AT_ONCE_MAX) return;
      waiting.delete(id);
      running.set(id, run(id, method));
    }
  }
  const run = (id: string, method: Row): Promise<void> =>
    verifyOne(services, method)
      .catch(({ message }: Error) => {
        services.logger.error({ payment_method: id, err: { message } }, 'verifying a card failed');
      })
      .finally(() => {
        running.delete(id);
        next();
      });
  return {
    verify(methods) {
      methods.forEach(add);
      next();
    },
    async [Symbol.asyncDispose]() {
      waiting.clear();
      await Promise.all(running.values());
    },
  };
}

async function verifyOne(services: Services, method: Row): Promise<void> {
  const { result } = await authenticateCard(services, {
    scope: { merchant_id: method.merchant_id as string, mode: method.mode as 'live' | 'sandbox' },
    card_pan_token: method.card_pan_token as string,
    amount: 0,
    currency: 'USD',
  });
  if (result === 'unavailable') return;
  const key: RowKey = { merchant_id: method.merchant_id as string, id: method.id as string };
  await services.db.transaction((tx) =>
    changeMethod(services, tx, key, services.clock.now(), ({ unverified }) =>
      unverified ? verifiedAs(result, unverified === 'test_token') : undefined,
    ),
  );
}
