import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Merchant, Relations, Resource } from './merchant.ts';

/** Related records of a scenario's payments, by card. */
export type Parties = ReadonlyMap<string, Relations>;

/** Context of one scenario. */
export interface ScenarioContext {
  readonly merchant: Merchant;
  readonly parties: Parties;
  /** Name of the scenario, which is also the prefix of its keys. */
  readonly name: string;
}

/** A card that is always approved. */
export const GOOD_CARD = 'visa';

/** Returns the record that a create made. Throws if it was refused. */
export async function waitForCreated(pendingAnswer: Promise<Answer>): Promise<Resource> {
  const { status, data } = await pendingAnswer;
  if (status !== 201 || !data) throw new Error(`a create was answered with ${status}`);
  return data;
}

export const makeAddress = (
  merchant: Merchant,
  key: string,
  customer: Resource,
): Promise<Resource> =>
  waitForCreated(merchant.make(key, 'consumer_addresses', address, { customer }));

const address = {
  line_1: '1 Main Street',
  city: 'New York',
  state: 'NY',
  zip: '10001',
  country: 'USA',
};

/** Maximum number of cards to create until the bank verifies one. */
const CARDS_MAX = 20;
/** Pause between two of them. All together outlast the restart of a killed process. */
const CARD_PAUSE_MS = 500;

/** Creates a test card that can pay. Creates another one if a network outage prevented the card's verification. */
export async function makeCard(
  merchant: Merchant,
  key: string,
  name: string,
  customer: Resource,
): Promise<Resource> {
  for (let attempt = 1; attempt <= CARDS_MAX; attempt++) {
    const creation = merchant.make(`${key} ${attempt}`, 'payment_methods', testCard(name), {
      customer,
    });
    const card = await waitForCreated(creation);
    if (card.attributes.external_state === 'confirmed') return card;
    await sleep(CARD_PAUSE_MS);
  }
  throw new Error(`the card ${name} was verified none of ${CARDS_MAX} times`);
}

const testCard = (name: string) => ({
  card_pan_token: `pan_test_${name}`,
  card_cvv_token: 'cvv_test',
  expiry_month: 12,
  expiry_year: 2031,
});

/** Purchase attributes of a payment. */
export const purchaseOf = (name: string) => ({
  amount_currency: 'USD',
  purchase_reference: name,
  purchase_kind: 'order',
});

export const isPaid = ({ attributes }: Resource): boolean => attributes.status === 'succeeded';
export const isHeld = ({ attributes }: Resource): boolean => attributes.status === 'authorised';

/** Creates a payment and waits for its outcome or authorisation hold. */
export async function pay(
  context: ScenarioContext,
  attributes: object,
  relations = context.parties.get(GOOD_CARD),
): Promise<Resource> {
  const { merchant, name } = context;
  const purchase = { ...purchaseOf(name), confirmed: true, ...attributes };
  return waitUntilIdle(
    context,
    await waitForCreated(merchant.make(name, 'payment_demands', purchase, relations)),
  );
}

/** Creates a payment that is captured immediately. */
export const sell = (
  { amount }: { readonly amount: number },
  context: ScenarioContext,
  card = GOOD_CARD,
): Promise<Resource> => pay(context, { amount_cents: amount }, context.parties.get(card));

/** Creates a refund or capture and waits for its outcome. Returns immediately if refused. */
export async function createFollowUp(
  context: ScenarioContext,
  type: 'refund_demands' | 'capture_demands',
  payment_demand: Resource,
  attributes: object,
): Promise<void> {
  const key = `${context.name} ${type}`;
  const { data } = await context.merchant.make(key, type, attributes, { payment_demand });
  if (data) await waitUntilIdle(context, data);
}

const openStatuses = new Set<unknown>([
  'pending',
  'processing',
  'needs_response',
  'under_review',
  'accepted',
]);

/** Waits until the record has no work in progress. */
export const waitUntilIdle = ({ merchant }: ScenarioContext, record: Resource): Promise<Resource> =>
  merchant.waitUntil(
    record,
    ({ attributes: { status, state } }) => !openStatuses.has(status) && !openStatuses.has(state),
  );
