import { startLoop } from '../../../platform/workers/loop.ts';
import type { Services } from '../../../services.ts';
import type { PaymentOutcomeRecorder } from '../../payments/record-outcome.ts';
import { createInFlight, startSending } from '../../payments/send.ts';
import { BILL_MAX, type Billing, billDue } from '../billing/bill.ts';

/**
 * Renewal charges in flight, beside payments with waiting callers: nine transactions, in as many
 * relay calls. A committing transaction is counted after sending, so one more may exceed this.
 */
const IN_FLIGHT_MAX = 9 * BILL_MAX;
const RELAYS_MAX = 12;
/** After this wait for a free slot, charges are still made, and queue with other payments. */
const CAPACITY_WAIT_MS = 1_000;

/** Bills due subscriptions, retries failed charges, and ends subscriptions. */
export function startBillLoop(
  services: Services,
  recordOutcome: PaymentOutcomeRecorder,
): AsyncDisposable {
  const inFlight = createInFlight({
    max: IN_FLIGHT_MAX,
    merchant_max: IN_FLIGHT_MAX,
    relays_max: RELAYS_MAX,
  });
  /**
   * The last billing transaction, which may still commit. A failure fails the step after the next.
   */
  let committed: Promise<unknown> = Promise.resolve();

  function sentCount({ count, messages }: Billing): number {
    startSending(services, inFlight, recordOutcome, messages);
    if (count > 0) {
      services.wake.authorise.raise();
      services.wake.deliver.raise();
    }
    return count;
  }

  /** Bills up to the commit, which waits for the disk: the next transaction begins meanwhile. */
  async function billNext(sends: boolean): Promise<boolean> {
    const ready = Promise.withResolvers<number>();
    const billed = billDue(services, { sends, committing: ready.resolve }).then(sentCount);
    const count = await Promise.race([ready.promise, billed]);
    const before = committed;
    committed = billed;
    await before;
    return count > 0;
  }

  const loop = startLoop({
    name: 'bill',
    logger: services.logger,
    loop_statuses: services.loop_statuses,
    poll_ms: services.config.work_poll_ms,
    async step() {
      await inFlight.messages.whenFree(BILL_MAX, AbortSignal.timeout(CAPACITY_WAIT_MS));
      const isFree = inFlight.messages.free() >= BILL_MAX && inFlight.relays.free() > 0;
      const sends = services.vault.isUp() && isFree;
      return billNext(sends);
    },
  });
  return {
    async [Symbol.asyncDispose]() {
      await loop[Symbol.asyncDispose]();
      await committed.catch(({ message }: Error) => {
        services.logger.error({ loop: 'bill', err: { message } }, 'the last commit failed');
      });
      await inFlight.relays.whenIdle();
    },
  };
}
