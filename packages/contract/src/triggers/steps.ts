import { DUNNING_DAYS_MAX } from '../dunning.ts';
import type { ApiRecord } from './interface.ts';
import type { Relations, Sandbox } from './sandbox.ts';

/** Amounts whose last four digits select a sandbox behaviour. The README lists all of them. */
export const amounts = {
  plain: 2_500,
  refund_declined: 9_705,
  capture_declined: 9_707,
  disputed: 19_708,
  /** Large enough to contain each of the other amounts. */
  large: 40_000,
} as const;

const CARD = { card_cvv_token: 'cvv_test', expiry_month: 12 };
/** Years until the test card expires. */
const YEARS = 4;

const purchaseOf = (amount_cents: number) => ({
  amount_cents,
  amount_currency: 'USD',
  purchase_reference: 'florin-trigger',
  purchase_kind: 'order',
});

export const makeCustomer = (sandbox: Sandbox): Promise<ApiRecord> =>
  sandbox.create('customers', { email: 'ada@example.com', name: 'Ada Lovelace' });

/** Merges a new customer into another one. Returns the merged customer. */
export async function mergeCustomers(sandbox: Sandbox): Promise<ApiRecord> {
  const source = await makeCustomer(sandbox);
  const target = await makeCustomer(sandbox);
  await sandbox.create('customer_merges', {}, { source, target });
  return source;
}

export const makeAddress = (sandbox: Sandbox, relations?: Relations): Promise<ApiRecord> =>
  sandbox.create(
    'consumer_addresses',
    { line_1: '1 Main Street', city: 'New York', state: 'NY', zip: '10001', country: 'USA' },
    relations,
  );

/** Creates a payment method. `card` is the name of a test token without `pan_test_`. */
export const makeCard = (
  sandbox: Sandbox,
  name = 'visa',
  relations?: Relations,
): Promise<ApiRecord> =>
  sandbox.create(
    'payment_methods',
    {
      ...CARD,
      card_pan_token: `pan_test_${name}`,
      expiry_year: new Date(sandbox.now_ms()).getUTCFullYear() + YEARS,
    },
    relations,
  );

async function makeParties(sandbox: Sandbox, card: string): Promise<Relations> {
  const payer = await makeCustomer(sandbox);
  const billing_address = await makeAddress(sandbox, { customer: payer });
  const payment_method = await makeCard(sandbox, card, { customer: payer });
  return { payer, billing_address, payment_method };
}

/** Creates and confirms a payment in one request. */
export async function pay(
  sandbox: Sandbox,
  { amount_cents = amounts.plain as number, card = 'visa', attributes = {} } = {},
): Promise<ApiRecord> {
  const parties = await makeParties(sandbox, card);
  const paymentAttributes = { ...purchaseOf(amount_cents), confirmed: true, ...attributes };
  return sandbox.create('payment_demands', paymentAttributes, parties);
}

/** Creates a payment and confirms it in a second request. */
export async function payInTwoSteps(sandbox: Sandbox): Promise<ApiRecord> {
  const parties = await makeParties(sandbox, 'visa');
  const intent = await sandbox.create('payment_demands', purchaseOf(amounts.plain), parties);
  return sandbox.act(intent, 'confirm');
}

export async function payUntilSucceeded(
  sandbox: Sandbox,
  amount_cents?: number,
): Promise<ApiRecord> {
  const payment = await pay(sandbox, { amount_cents });
  return sandbox.untilStatus(payment, 'succeeded');
}

/** Refunds a part of a successful payment. */
export async function refund(
  sandbox: Sandbox,
  amount_cents: number = amounts.plain,
): Promise<ApiRecord> {
  const payment_demand = await payUntilSucceeded(sandbox, amounts.large);
  const attributes = { reason: 'duplicate_charge', amount_cents };
  return sandbox.create('refund_demands', attributes, { payment_demand });
}

/** Captures a part of an authorised payment. */
export async function capture(
  sandbox: Sandbox,
  amount_cents: number = amounts.plain,
): Promise<ApiRecord> {
  const manual = { capture_method: 'manual' };
  const payment = await pay(sandbox, { amount_cents: amounts.large, attributes: manual });
  const payment_demand = await sandbox.untilStatus(payment, 'authorised');
  return sandbox.create('capture_demands', { amount_cents }, { payment_demand });
}

export async function openDispute(sandbox: Sandbox): Promise<ApiRecord> {
  const payment = await pay(sandbox, { amount_cents: amounts.disputed });
  return sandbox.untilPointedAt('disputes', 'payment_demand', payment);
}

export async function answerDispute(sandbox: Sandbox): Promise<ApiRecord> {
  const openedDispute = await openDispute(sandbox);
  await sandbox.update(openedDispute, { uncategorized_text: 'They signed for it.' });
  return sandbox.act(openedDispute, 'submit');
}

/** Creates and confirms a subscription, with its first charge. */
export async function subscribe(sandbox: Sandbox, parties?: Relations): Promise<ApiRecord> {
  const { plain: amount_cents } = amounts;
  const item = { name: 'Rose', quantity: 1, amount_cents, amount_currency: 'USD' };
  const attributes = {
    ...purchaseOf(amount_cents),
    slug: 'a_rose_a_month',
    billing_period: 'one_month',
    line_items: [item],
    confirmed: true,
    idempotency_key: sandbox.newKey(),
  };
  const related = parties ?? (await makeParties(sandbox, 'visa'));
  return sandbox.create('payment_subscriptions', attributes, related);
}

/**
 * Creates a monthly subscription and advances the customer's clock by 25 days.
 */
export async function approachRenewal(sandbox: Sandbox): Promise<ApiRecord> {
  const { subscription } = await subscribeByClock(sandbox, 'visa');
  return subscription;
}

/** Creates a subscription and advances the customer's clock until its renewal is declined. */
export async function failRenewal(sandbox: Sandbox): Promise<ApiRecord> {
  const { subscription, clock } = await subscribeByClock(sandbox, 'insufficient_funds');
  await advance(sandbox, clock, 9);
  return subscription;
}

/** Like `failRenewal`; then pays the renewal with another card. */
export async function payRenewal(sandbox: Sandbox): Promise<ApiRecord> {
  const payment_subscription = await failRenewal(sandbox);
  const payment_method = await makeCard(sandbox);
  return sandbox.relate(payment_subscription, { payment_method });
}

/** Like `failRenewal`; then advances the clock until dunning ends under any schedule. */
export async function endDunning(sandbox: Sandbox): Promise<ApiRecord> {
  const { subscription, clock } = await subscribeByClock(sandbox, 'insufficient_funds');
  await advance(sandbox, clock, 9 + DUNNING_DAYS_MAX);
  return subscription;
}

const DAY_SECONDS = 24 * 60 * 60;

/**
 * Creates a subscription, pays its first month, and sets this card for the renewal. Advances the
 * customer's clock by 25 days.
 */
async function subscribeByClock(sandbox: Sandbox, card: string) {
  const parties = await makeParties(sandbox, 'visa');
  const subscription = await subscribe(sandbox, parties);
  const customer = parties.payer as ApiRecord;
  const clock = await sandbox.create('sandbox_clocks', { name: 'florin trigger' }, { customer });
  await advance(sandbox, clock, 1);
  await sandbox.relate(subscription, { payment_method: await makeCard(sandbox, card) });
  await advance(sandbox, clock, 24);
  return { subscription, clock };
}

async function advance(sandbox: Sandbox, clock: ApiRecord, days: number): Promise<void> {
  await sandbox.act(clock, 'advance', { by_seconds: days * DAY_SECONDS });
  await sandbox.untilStatus(clock, 'ready');
}

/** Creates, tests and archives a webhook subscription. No server listens at its URL. */
export async function testedWebhook(sandbox: Sandbox): Promise<ApiRecord> {
  const webhook = await sandbox.create('webhook_subscriptions', {
    url: 'http://localhost:9/florin-trigger',
    description: 'florin trigger',
    events: ['transaction.payment_demands.succeeded'],
  });
  await sandbox.act(webhook, 'test');
  return sandbox.update(webhook, { status: 'archived' });
}
