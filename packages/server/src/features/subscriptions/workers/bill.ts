import { startLoop } from '../../../platform/workers/loop.ts';
import type { Services } from '../../../services.ts';
import type { PaymentOutcomeRecorder } from '../../payments/record-outcome.ts';
import { createInFlight, startSending } from '../../payments/send.ts';
import { createAccountSlots } from '../../payments/slots/account-slots.ts';
import { BILL_MAX, type BillResult, billDue } from '../billing/bill.ts';

/**
 * Limit of renewal charges in flight: nine transactions, which leaves capacity for payments with
 * waiting callers. A transaction is counted after its commit, so one more can be in flight.
 */
const IN_FLIGHT_MAX = 9 * BILL_MAX;
/** Relay calls of renewals, beside those of payments: together fewer than `SERVER_CONNECTIONS.cards`. */
export const RENEWAL_RELAYS_MAX = 64;
/**
 * Milliseconds to wait for free capacity. After that, charges are stored as due and queue with
 * other payments.
 */
const CAPACITY_WAIT_MS = 1_000;

/**
 * Starts the loop that bills due subscriptions, retries failed charges, and ends subscriptions. All senders of payments
 * share the slots of accounts: a charge without a free slot is stored as due.
 */
export function startBillLoop(
  services: Services,
  recordOutcome: PaymentOutcomeRecorder,
): AsyncDisposable {
  const { accounts } = services.in_flight;
  const inFlight = createInFlight({
    max: IN_FLIGHT_MAX,
    merchant_max: IN_FLIGHT_MAX,
    accounts,
    relays_max: RENEWAL_RELAYS_MAX,
  });
  /**
   * The previous billing transaction, which may not be committed yet. The step after next reports
   * its failure.
   */
  let previousBilling: Promise<unknown> = Promise.resolve();

  function sentCount({ count, messages }: BillResult): number {
    startSending(services, inFlight, recordOutcome, messages);
    if (count > 0) {
      services.wake.authorise.raise();
      services.wake.deliver.raise();
    }
    return count;
  }

  /** Bills until the commit. The next transaction begins while this commit waits for the disk. */
  async function billNext(sends: boolean): Promise<boolean> {
    const committed = Promise.withResolvers<number>();
    const slots = createAccountSlots(accounts, services.config.payments_in_flight.account);
    const sending = billDue(services, { sends, slots, committing: committed.resolve })
      .then(sentCount)
      .finally(slots.release);
    const count = await Promise.race([committed.promise, sending]);
    const earlierBilling = previousBilling;
    previousBilling = sending;
    await earlierBilling;
    return count > 0;
  }

  const loop = startLoop(services, {
    name: 'bill',
    wake: services.wake.bill,
    poll_ms: services.config.work_poll_ms,
    due: [{ table: 'payment_subscriptions' }],
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
      await previousBilling.catch(({ message }: Error) => {
        services.logger.error(
          { loop: 'bill', err: { message } },
          'last charges not committed at shutdown',
        );
      });
      await inFlight.relays.whenIdle();
    },
  };
}
