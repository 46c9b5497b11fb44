import type { Row } from '../../store/row.ts';
import type { RowKey } from '../../store/transition.ts';
import type { Services } from '../services.ts';
import { authenticateCard } from './authenticate.ts';
import { changeMethod } from './change-method.ts';
import { verifiedAs } from './verified-as.ts';

/** Cards whose banks may be asked at once; those beyond wait for the next try of their payment. */
const VERIFICATIONS_MAX = 32;

/** Verifies cards whose banks could not be asked before. Disposed of when all of them have been asked. */
export interface Verifier extends AsyncDisposable {
  /** Never waits, and never throws: a payment that waits for its card asks again. */
  verify(methods: readonly Row[]): void;
}

/** Makes the verifier of a work loop. A card is asked about by one call at a time. */
export function createVerifier(services: Services): Verifier {
  const running = new Map<string, Promise<void>>();
  const begin = (method: Row): void => {
    const id = method.id as string;
    if (running.has(id) || running.size >= VERIFICATIONS_MAX) return;
    const run = verifyOne(services, method)
      .catch((error: Error) => {
        services.logger.error(
          { payment_method: id, err: { message: error.message } },
          'verifying a card failed',
        );
      })
      .finally(() => running.delete(id));
    running.set(id, run);
  };
  return {
    verify: (methods) => methods.forEach(begin),
    async [Symbol.asyncDispose]() {
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
