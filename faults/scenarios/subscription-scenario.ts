import type { Scenario } from '../plan.ts';
import type { Answer, Relations, Resource } from './merchant.ts';
import {
  GOOD_CARD,
  purchaseOf,
  type ScenarioContext,
  waitForCreated,
  waitUntilIdle,
} from './scenario-context.ts';

type SubscriptionScenario = Extract<Scenario, { kind: 'subscription' }>;

/** A subscription and its first charge. After a decline it is charged with another card. */
export async function runSubscription(
  scenario: SubscriptionScenario,
  context: ScenarioContext,
): Promise<void> {
  const { id } = await subscribe(scenario, context);
  if (!scenario.confirmed) {
    const confirmation = sendAction(context, id, 'confirm');
    // Confirmation and cancellation race: one wins, and the charge may already be sent.
    await Promise.all([
      confirmation,
      ...(scenario.cancel ? [sendAction(context, id, 'cancel')] : []),
    ]);
  }
  const [charge] = await chargesOf(context, id);
  if (charge?.attributes.failure_reason !== 'insufficient_funds' || scenario.cancel) return;
  await changeCard(context, id);
  await sendAction(context, id, 'confirm', 'again');
  await chargesOf(context, id);
}

function subscribe(
  { amount, card, confirmed }: SubscriptionScenario,
  context: ScenarioContext,
): Promise<Resource> {
  return makeSubscription(context, { amount_cents: amount, confirmed }, context.parties.get(card));
}

/** Creates a subscription for one product, monthly unless the attributes differ. */
export function makeSubscription(
  { merchant, name }: ScenarioContext,
  attributes: { readonly amount_cents: number; readonly [name: string]: unknown },
  parties?: Relations,
): Promise<Resource> {
  const purchase = purchaseOf(name);
  const { amount_currency } = purchase;
  const { amount_cents } = attributes;
  const subscriptionAttributes = {
    ...purchase,
    slug: 'a_rose_a_month',
    billing_period: 'one_month',
    line_items: [{ name: 'Rose', quantity: 1, amount_cents, amount_currency }],
    ...attributes,
  };
  return waitForCreated(
    merchant.make(name, 'payment_subscriptions', subscriptionAttributes, parties),
  );
}

/** Sends an action. `time` distinguishes repetitions of the same action. */
const sendAction = (
  { merchant, name }: ScenarioContext,
  id: string,
  action: 'confirm' | 'cancel',
  time = '',
): Promise<Answer> =>
  merchant.write(`${name} ${action} ${time}`, 'PATCH', `/v2/payment_subscriptions/${id}/${action}`);

/** Waits until the charges of a subscription have an outcome. */
export async function chargesOf(context: ScenarioContext, id: string): Promise<Resource[]> {
  const path = `/v2/payment_demands?filter[payment_subscription]=${id}`;
  const charges = await context.merchant.list(path);
  return Promise.all(charges.map((charge) => waitUntilIdle(context, charge)));
}

async function changeCard({ merchant, parties, name }: ScenarioContext, id: string): Promise<void> {
  const type = 'payment_subscriptions';
  const { payment_method } = parties.get(GOOD_CARD) as Relations;
  const relationships = {
    payment_method: { data: { type: 'payment_methods', id: payment_method?.id } },
  };
  const document = { data: { type, id, relationships } };
  await merchant.write(`${name} card`, 'PATCH', `/v2/${type}/${id}`, document);
}
