import { createLimiter } from '../../../platform/concurrency/limiter.ts';
import type { Allowance } from '../../../platform/workers/claim.ts';
import type { PaymentsInFlight, Services } from '../../../services.ts';
import { createInFlight } from '../send.ts';

/** A relay ends with the slowest response of its batch, so a slow processor keeps many of them open. */
export const PAYMENT_RELAYS_MAX = 256;

type Maxima = Pick<Services['config']['payments_in_flight'], 'total' | 'merchant'>;

/**
 * The part of a limit that requests may use. Claims can always use the rest, so new payments never keep due ones from
 * being sent.
 */
export const requestShare = (max: number): number => Math.floor(max / 2);

/** Creates the limits of a process or of a sandbox timeline, closed until the work loop opens them. */
export function createPaymentsInFlight(
  { total, merchant }: Maxima,
  onMerchantFree: () => void,
): PaymentsInFlight {
  const accounts = createLimiter({});
  let isOpen = false;
  return {
    ...createInFlight({
      max: total,
      merchant_max: merchant,
      accounts,
      relays_max: PAYMENT_RELAYS_MAX,
      onMerchantFree,
    }),
    isOpen: () => isOpen,
    open() {
      isOpen = true;
    },
    close() {
      isOpen = false;
    },
  };
}

/**
 * Lets requests send the payments that they create, in a process without the work loop. Disposal waits for the messages
 * in flight.
 */
export function startRequestSending({ in_flight }: Pick<Services, 'in_flight'>): AsyncDisposable {
  in_flight.open();
  return {
    async [Symbol.asyncDispose]() {
      in_flight.close();
      await in_flight.relays.whenIdle();
    },
  };
}

/** Slots that a claim may take, although requests may fill their share of each limit while the claim runs. */
export function allowanceOf(
  { free, used }: Pick<PaymentsInFlight['messages'], 'free' | 'used'>,
  { total, merchant }: Maxima,
  claim_max: number,
): Allowance {
  const share = requestShare(merchant);
  const beyondShare = [...used].map(
    ([owner, count]) => [owner, Math.max(0, count - share)] as const,
  );
  return {
    limit: Math.min(free(), total - requestShare(total), claim_max),
    per_merchant: merchant - share,
    in_flight: new Map(beyondShare),
  };
}

/** Slots that a request may use now, of all messages and of its merchant. */
export function freeForRequest(
  { messages, relays }: PaymentsInFlight,
  { total, merchant }: Maxima,
  owner: string,
): number {
  if (relays.free() <= PAYMENT_RELAYS_MAX - requestShare(PAYMENT_RELAYS_MAX)) return 0;
  return Math.min(
    messages.free() - (total - requestShare(total)),
    requestShare(merchant) - (messages.used.get(owner) ?? 0),
  );
}
