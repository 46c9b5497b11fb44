import { setTimeout as sleep } from 'node:timers/promises';
import { createPayer, type Payer } from './payers.ts';
import type { Testbed } from './testbed.ts';

const POLL_MS = 20;

export const intent = {
  amount_cents: 2500,
  amount_currency: 'USD',
  purchase_reference: 'order-1',
  purchase_kind: 'order',
  description: 'An enamel mug',
};

export const intentBody = JSON.stringify({ data: { type: 'payment_demands', attributes: intent } });

/** A payment that is confirmed immediately, as a create takes it. */
export const confirmedPayment = (payer: Payer, attributes = {}) => ({
  type: 'payment_demands',
  attributes: { ...intent, confirmed: true, ...attributes },
  relationships: {
    payer: { data: { type: 'customers', id: payer.customer } },
    billing_address: { data: { type: 'consumer_addresses', id: payer.address } },
    payment_method: { data: { type: 'payment_methods', id: payer.method } },
  },
});

/** Body of a create that is confirmed immediately. */
export const confirmedBody = (payer: Payer, attributes = {}): string =>
  JSON.stringify({ data: confirmedPayment(payer, attributes) });

/** Creates all related records. Returns the body of a create that is confirmed immediately. */
export const createConfirmedBody = async (testbed: Testbed, attributes = {}): Promise<string> =>
  confirmedBody(await createPayer(testbed), attributes);

/** Waits until no payment is without an outcome. */
export async function untilSettled(testbed: Testbed): Promise<void> {
  while (await hasOpenPayments(testbed)) await sleep(POLL_MS);
}

/** Reads one entry of the index by merchant, mode and state for each merchant, however many payments there are. */
async function hasOpenPayments(testbed: Testbed): Promise<boolean> {
  const [row] = await testbed.query<{ open: boolean }>(
    `select exists (select from merchants m, lateral (
       select from payment_demands p where p.merchant_id = m.id and p.mode = 'sandbox'
         and p.status in ('pending', 'processing') limit 1) open) as open`,
  );
  return row?.open ?? false;
}
