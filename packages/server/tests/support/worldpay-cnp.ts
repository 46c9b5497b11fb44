import type { createClockAhead } from './clock-ahead.ts';
import { type StandInStack, useStandInStack } from './stand-in-stack.ts';

const MERCHANT = '01183801';
const LOGIN = { user: 'florin-tests', password: 'cnp-secret-1' };

/** A payment at the stand-in. Amounts are minor units. */
interface CnpPayment {
  readonly type: 'sale' | 'authorization';
  readonly response: string;
  readonly held: number;
  readonly captured: number;
  readonly refunded: number;
}

/** A Florin whose sandbox payments go to the stand-in of Worldpay's cnpAPI. */
interface CnpStack extends StandInStack {
  /** Payments at the stand-in with the id of an attempt. */
  paymentsOf(attempt: string): Promise<CnpPayment[]>;
}

/** Starts Florin and the stand-in for a test file. With a clock, Florin's waits pass at once. */
export function useCnpStack(clock?: ReturnType<typeof createClockAhead>): CnpStack {
  const standIn = {
    processor: 'worldpay_cnp',
    path: '/worldpay-cnp',
    settings: { merchant_id: MERCHANT, currency: 'USD' },
    secrets: LOGIN,
    headers: {},
    account_path: `/accounts/${MERCHANT}`,
    account_settings: { ...LOGIN, currency: 'USD' },
  };
  const context = useStandInStack(standIn, clock);
  return Object.assign(context, {
    paymentsOf: async (attempt: string) =>
      (await context.control(
        'GET',
        `/accounts/${MERCHANT}/payments?id=${attempt}`,
      )) as CnpPayment[],
  });
}
