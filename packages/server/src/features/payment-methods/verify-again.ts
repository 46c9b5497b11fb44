import type { Row } from '../../platform/database/row.ts';
import type { RowKey } from '../../platform/database/row-key.ts';
import type { Services } from '../../services.ts';
import { authenticateCard } from './authenticate.ts';
import { changeMethod } from './change-method.ts';
import { verifiedAs } from './verified-as.ts';

/**
 * Limit of concurrent authentications. Each needs a connection to the vault, and payments need most
 * of them.
 */
const AT_ONCE_MAX = 4;
/**
 * Maximum queue length. A card that finds the queue full is queued with the next attempt of its
 * payment.
 */
const WAITING_MAX = 512;

/**
 * Verifies cards whose issuers were unreachable. Disposal waits for authentications in progress.
 */
export interface Verifier extends AsyncDisposable {
  /** Queues cards without waiting; never throws. A payment that waits queues its card again. */
  verify(methods: readonly Row[]): void;
}

/**
 * Creates the verifier of a work loop. Cards are verified in order of arrival, each by one
 * authentication at a time.
 */
export function createVerifier(services: Services): Verifier {
  /** Payment methods by id, in order of arrival. */
  const waitingMethods = new Map<string, Row>();
  const runningVerifications = new Map<string, Promise<void>>();
  const add = (method: Row): void => {
    const id = method.id as string;
    if (!runningVerifications.has(id) && waitingMethods.size < WAITING_MAX)
      waitingMethods.set(id, method);
  };
  function startNext(): void {
    for (const [id, method] of waitingMethods) {
      if (runningVerifications.size >= AT_ONCE_MAX) return;
      waitingMethods.delete(id);
      runningVerifications.set(id, startVerification(id, method));
    }
  }
  const startVerification = (id: string, method: Row): Promise<void> =>
    verifyOne(services, method)
      .catch(({ message }: Error) => {
        services.logger.error({ payment_method: id, err: { message } }, 'card not verified');
      })
      .finally(() => {
        runningVerifications.delete(id);
        startNext();
      });
  return {
    verify(methods) {
      methods.forEach(add);
      startNext();
    },
    async [Symbol.asyncDispose]() {
      waitingMethods.clear();
      await Promise.all(runningVerifications.values());
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
