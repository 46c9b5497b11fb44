import type { Row } from '../../../platform/database/row.ts';
import type { Services } from '../../../services.ts';
import { type AccountSlots, createAccountSlots } from '../slots/account-slots.ts';
import { freeForRequest, requestShare } from '../slots/in-flight.ts';
import { type ProcessFacts, reasonToWait } from './decide-submission.ts';

/** Slots that are kept for new payments until their messages are sent. */
export interface Reservation {
  /** Payments with a slot. */
  readonly payments: readonly Row[];
  readonly process: ReadonlyMap<Row, ProcessFacts>;
  /** Slots of the accounts that the payments are planned for. */
  readonly slots: AccountSlots;
  /** Ends the reservation. Messages take slots of their own as soon as they are sent. */
  release(): void;
}

/** Reserves a slot for each new payment that may be submitted by what this process knows. */
export async function createReservation(
  services: Services,
  payments: readonly Row[],
): Promise<Reservation> {
  const { in_flight, config } = services;
  const within = payments.some(isPending) ? await services.within?.() : undefined;
  const process = new Map<Row, ProcessFacts>();
  const reserved: Row[] = [];
  for (const payment of payments) {
    const facts = factsOf(services, payment, within);
    if (reasonToWait(payment, facts)) continue;
    process.set(payment, facts);
    in_flight.messages.take(payment.merchant_id as string);
    reserved.push(payment);
  }
  // The process waits for all relays before it ends.
  if (reserved.length > 0) in_flight.relays.take();
  const { account } = config.payments_in_flight;
  const slots = createAccountSlots(in_flight.accounts, requestShare(account));
  return {
    payments: reserved,
    process,
    slots,
    release() {
      slots.release();
      for (const { merchant_id } of reserved) in_flight.messages.release(merchant_id as string);
      if (reserved.length > 0) in_flight.relays.release();
    },
  };
}

const isPending = ({ status }: Row): boolean => status === 'pending';

const factsOf = (
  services: Services,
  { merchant_id }: Row,
  within: ProcessFacts['within'],
): ProcessFacts => ({
  sends: services.in_flight.isOpen(),
  vault_up: services.vault.isUp(),
  on_timeline: services.clock !== services.system_clock,
  within,
  free: freeForRequest(
    services.in_flight,
    services.config.payments_in_flight,
    merchant_id as string,
  ),
});
