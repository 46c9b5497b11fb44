import type { Settler } from '../features/payments/settle.ts';
import type { Services } from '../features/services.ts';
import { BILL_MAX, billDue } from '../features/subscriptions/bill.ts';
import { createFlight } from './flight.ts';
import { startLoop } from './loop.ts';

/** Charges that may be under way at once, beside the payments that somebody waits for: nine transactions' worth. */
const IN_FLIGHT_MAX = 9 * BILL_MAX;
const RELAYS_MAX = 12;
/** Where answers stay out for longer, charges are made all the same, and wait their turn with other payments. */
const ROOM_WAIT_MS = 1_000;

/** Bills subscriptions when they are due, tries charges again that failed, and ends what has to end. */
export function startBillLoop(services: Services, settle: Settler): AsyncDisposable {
  const flight = createFlight(services, settle, {
    max: IN_FLIGHT_MAX,
    each: IN_FLIGHT_MAX,
    relays_max: RELAYS_MAX,
  });
  const loop = startLoop({
    name: 'bill',
    logger: services.logger,
    pulses: services.pulses,
    poll_ms: services.config.work_poll_ms,
    async step() {
      await flight.room.free(BILL_MAX, AbortSignal.timeout(ROOM_WAIT_MS));
      const sends = flight.room.left() >= BILL_MAX && flight.hasRelay();
      const { count, requests } = await billDue(services, { sends });
      flight.send(requests);
      if (count === 0) return false;
      services.wake.authorise.raise();
      services.wake.deliver.raise();
      return true;
    },
  });
  return {
    async [Symbol.asyncDispose]() {
      await loop[Symbol.asyncDispose]();
      await flight[Symbol.asyncDispose]();
    },
  };
}
