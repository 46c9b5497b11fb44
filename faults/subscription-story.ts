import type { Answer, Relations, Resource } from './merchant.ts';
import type { Story } from './plan.ts';
import { GOOD_CARD, made, purchaseOf, settled, type Teller } from './teller.ts';

type Subscribing = Extract<Story, { kind: 'subscription' }>;

/** A subscription and its first charge; after a decline it is charged again with another card. */
export async function tellSubscription(story: Subscribing, teller: Teller): Promise<void> {
  const { id } = await subscribe(story, teller);
  if (!story.confirmed) {
    const confirmed = act(teller, id, 'confirm');
    // Both race: one wins, and the charge may already be sent.
    await Promise.all([confirmed, ...(story.cancel ? [act(teller, id, 'cancel')] : [])]);
  }
  const [charge] = await chargesOf(teller, id);
  if (charge?.attributes.failure_reason !== 'insufficient_funds' || story.cancel) return;
  await giveCard(teller, id);
  await act(teller, id, 'confirm', 'again');
  await chargesOf(teller, id);
}

function subscribe({ amount, card, confirmed }: Subscribing, teller: Teller): Promise<Resource> {
  return makeSubscription(teller, { amount_cents: amount, confirmed }, teller.parties.get(card));
}

/** A subscription for one product, monthly unless the attributes differ. */
export function makeSubscription(
  { merchant, name }: Teller,
  attributes: { readonly amount_cents: number; readonly [name: string]: unknown },
  parties?: Relations,
): Promise<Resource> {
  const purchase = purchaseOf(name);
  const { amount_currency } = purchase;
  const { amount_cents } = attributes;
  const wanted = {
    ...purchase,
    slug: 'a_rose_a_month',
    billing_period: 'one_month',
    line_items: [{ name: 'Rose', quantity: 1, amount_cents, amount_currency }],
    ...attributes,
  };
  return made(merchant.make(name, 'payment_subscriptions', wanted, parties));
}

/** `time` distinguishes repeated requests for the same action. */
const act = (
  { merchant, name }: Teller,
  id: string,
  action: 'confirm' | 'cancel',
  time = '',
): Promise<Answer> =>
  merchant.write(`${name} ${action} ${time}`, 'PATCH', `/v2/payment_subscriptions/${id}/${action}`);

/** Waits until the charges of a subscription have an outcome. */
export async function chargesOf(teller: Teller, id: string): Promise<Resource[]> {
  const path = `/v2/payment_demands?filter[payment_subscription]=${id}`;
  const charges = await teller.merchant.list(path);
  return Promise.all(charges.map((charge) => settled(teller, charge)));
}

async function giveCard({ merchant, parties, name }: Teller, id: string): Promise<void> {
  const type = 'payment_subscriptions';
  const { payment_method } = parties.get(GOOD_CARD) as Relations;
  const relationships = {
    payment_method: { data: { type: 'payment_methods', id: payment_method?.id } },
  };
  const document = { data: { type, id, relationships } };
  await merchant.write(`${name} card`, 'PATCH', `/v2/${type}/${id}`, document);
}
