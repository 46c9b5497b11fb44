import { expect } from 'vitest';
import type { createClockAhead } from './clock-ahead.ts';
import { type StandInStack, useStandInStack } from './stand-in-stack.ts';

export const MERCHANT_ACCOUNT = 'FlorinTest_ECOM';
const API_KEY = 'AQEexamplekeyofthetests1234567890';
export const HMAC_KEY = '00112233445566778899AABBCCDDEEFF00112233445566778899AABBCCDDEEFF';

/** User and password of notifications. */
export const WEBHOOK_LOGIN = 'florin:pass:word';

/** A payment at the stand-in, with the members that tests compare. */
export interface AdyenPayment {
  readonly psp: string;
  readonly status: string;
  /** Adyen's name of the way the order came, such as `Moto`. */
  readonly interaction: string;
  readonly amount: number;
  readonly captured: number;
  readonly refunded: number;
}

/** A Florin whose sandbox payments go to the stand-in of Adyen. */
export interface AdyenStack extends StandInStack {
  readPayment(psp: string): Promise<AdyenPayment>;
  /** Number of payments at the stand-in by status. */
  countPayments(): Promise<Readonly<Record<string, number>>>;
  /** Captures US dollars as a person does in Adyen's Customer Area. */
  capture(psp: string, value: number): Promise<void>;
  /** Closes a batch, which announces its report. Returns the name of the report. */
  closeBatch(options?: object): Promise<string>;
}

/** Starts Florin and the stand-in for a test file. With a clock, Florin's waits pass at once. */
export function useAdyenStack(clock?: ReturnType<typeof createClockAhead>): AdyenStack {
  const standIn = {
    processor: 'adyen',
    path: '/adyen',
    settings: { merchant_account: MERCHANT_ACCOUNT, several_captures: 'yes' },
    url_settings: ['report_url', 'disputes_url'],
    secrets: {
      api_key: API_KEY,
      report_key: API_KEY,
      hmac_key: HMAC_KEY,
      webhook_login: WEBHOOK_LOGIN,
    },
    headers: {},
    account_path: `/accounts/${MERCHANT_ACCOUNT}`,
    account_settings: {
      api_key: API_KEY,
      webhook_hmac_key: HMAC_KEY,
      webhook_username: 'florin',
      webhook_password: 'pass:word',
      several_captures: true,
      outcome_delay_ms: 50,
    },
  };
  const context = useStandInStack(standIn, clock);
  return Object.assign(context, {
    readPayment: (psp: string) =>
      context.control('GET', `/payments/${psp}`) as Promise<AdyenPayment>,
    capture: async (psp: string, value: number) => {
      const response = await fetch(`${context.api_url}/v72/payments/${psp}/captures`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': API_KEY },
        body: JSON.stringify({
          merchantAccount: MERCHANT_ACCOUNT,
          amount: { value, currency: 'USD' },
          reference: 'by a person',
        }),
      });
      expect(response.status).toBe(201);
    },
    closeBatch: async (options: object = {}) => {
      const path = `/accounts/${MERCHANT_ACCOUNT}/batches`;
      const batch = (await context.control('POST', path, options)) as { file: string };
      return batch.file;
    },
    countPayments: () =>
      context.control('GET', `/accounts/${MERCHANT_ACCOUNT}/totals`) as Promise<
        Readonly<Record<string, number>>
      >,
  });
}
