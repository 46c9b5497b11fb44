import type { createClockAhead } from './clock-ahead.ts';
import { type StandInStack, useStandInStack } from './stand-in-stack.ts';

const CHANNEL = 'pc_aaaaaaaaaaaaaaaaaaaaaaaaaa';
const SECRET_KEY = 'sk_sbox_abcdefghijklmnopqrstuvwxyz2';
const SIGNATURE_KEY = 'signature-key-of-the-tests';
const headers = { authorization: `Bearer ${SECRET_KEY}` };

/** A payment at the stand-in, with the members that tests compare. */
export interface StandInPayment {
  readonly id: string;
  readonly status: string;
  readonly amount: number;
  readonly balances: Readonly<Record<string, number>>;
}

/** A Florin whose sandbox payments go to the stand-in of Checkout.com. */
export interface CheckoutStack extends StandInStack {
  /** Payments at the stand-in with the reference of an attempt. */
  paymentsOf(reference: string): Promise<StandInPayment[]>;
}

/** Starts Florin and the stand-in for a test file. With a clock, Florin's waits pass at once. */
export function useCheckoutStack(clock?: ReturnType<typeof createClockAhead>): CheckoutStack {
  const standIn = {
    processor: 'checkout_com',
    path: '/checkout-com',
    settings: { processing_channel_id: CHANNEL },
    secrets: { secret_key: SECRET_KEY, signature_key: SIGNATURE_KEY },
    headers,
    account_path: `/accounts/${CHANNEL}`,
    account_settings: {
      secret_key: SECRET_KEY,
      webhook_key: SIGNATURE_KEY,
      outcome_delay_ms: 50,
    },
  };
  const context = useStandInStack(standIn, clock);
  const read = async (path: string) => (await fetch(context.api_url + path, { headers })).json();
  return Object.assign(context, {
    async paymentsOf(reference: string) {
      const { data } = (await read(`/payments?reference=${reference}&limit=100`)) as {
        data: { id: string }[];
      };
      return Promise.all(data.map(({ id }) => read(`/payments/${id}`) as Promise<StandInPayment>));
    },
  });
}
