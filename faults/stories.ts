import { eventCodes } from '@florin/contract/resources/event-codes.ts';
import type { Answer, Merchant, Relations, Resource } from './merchant.ts';
import type { Plan, Story } from './plan.ts';

/** Stories that are told at once. */
const TELLERS = 7;

/** A merchant does all that is planned. Rejects where something is not answered, or does not end. */
export async function tellStories(merchant: Merchant, plan: Plan, hook: string): Promise<void> {
  await made(
    merchant.make('hook', 'webhook_subscriptions', { url: hook, events: [...eventCodes] }),
  );
  const parties = await makeParties(merchant, plan.stories);
  const left = plan.stories.map((story, at) => ({ story, name: `story ${at + 1}` }));
  const tell = async (): Promise<void> => {
    for (let next = left.shift(); next; next = left.shift()) {
      const { story, name } = next;
      await tellers[story.kind](story as never, { merchant, parties, name });
    }
  };
  await Promise.all(Array.from({ length: TELLERS }, tell));
}

async function made(asked: Promise<Answer>): Promise<Resource> {
  const { status, data } = await asked;
  if (status !== 201 || !data) throw new Error(`a create was answered with ${status}`);
  return data;
}

type Parties = ReadonlyMap<string, Relations>;

const DEFAULT_CARD = 'visa';

async function makeParties(merchant: Merchant, stories: readonly Story[]): Promise<Parties> {
  const payer = await made(
    merchant.make('payer', 'customers', { email: 'ada@example.com', name: 'Ada' }),
  );
  const billing_address = await made(
    merchant.make('address', 'consumer_addresses', address, { customer: payer }),
  );
  const cards = new Set(stories.map((story) => ('card' in story ? story.card : DEFAULT_CARD)));
  const entries = [...cards.add(DEFAULT_CARD)].map(async (card) => {
    const method = merchant.make(card, 'payment_methods', testCard(card), { customer: payer });
    return [card, { payer, billing_address, payment_method: await made(method) }] as const;
  });
  return new Map(await Promise.all(entries));
}

const address = {
  line_1: '1 Main Street',
  city: 'New York',
  state: 'NY',
  zip: '10001',
  country: 'USA',
};

const testCard = (name: string) => ({
  card_pan_token: `pan_test_${name}`,
  card_cvv_token: 'cvv_test',
  expiry_month: 12,
  expiry_year: 2031,
});

interface Teller {
  readonly merchant: Merchant;
  readonly parties: Parties;
  readonly name: string;
}

type StoryOf<Kind extends Story['kind']> = Extract<Story, { kind: Kind }>;

const tellers: {
  readonly [Kind in Story['kind']]: (story: StoryOf<Kind>, teller: Teller) => Promise<void>;
} = {
  sale: async (story, teller) => void (await sell(story, teller, story.card)),
  refunds: tellRefunds,
  capture: async ({ amount, part }, teller) => {
    const held = await hold({ amount }, teller);
    if (held.attributes.status !== 'authorised') return;
    await follow(teller, 'capture_demands', held, { amount_cents: part });
    await settled(teller, held);
  },
  void: async (story, teller) => {
    const held = await hold(story, teller);
    if (held.attributes.status !== 'authorised') return;
    await voidHold(teller, held);
    await settled(teller, held);
  },
  capture_and_void: async (story, teller) => {
    const held = await hold(story, teller);
    if (held.attributes.status !== 'authorised') return;
    // One of the two comes first, and the other is refused.
    await Promise.all([follow(teller, 'capture_demands', held, {}), voidHold(teller, held)]);
    await settled(teller, held);
  },
  dispute: tellDispute,
};

async function tellRefunds({ amount, parts }: StoryOf<'refunds'>, teller: Teller): Promise<void> {
  const payment = await sell({ amount }, teller);
  if (payment.attributes.status !== 'succeeded') return;
  const refunds = parts.map((amount_cents, at) =>
    follow({ ...teller, name: `${teller.name} ${at}` }, 'refund_demands', payment, {
      amount_cents,
      reason: 'technical_issue',
    }),
  );
  await Promise.all(refunds);
}

async function tellDispute({ amount, say }: StoryOf<'dispute'>, teller: Teller): Promise<void> {
  const { merchant, name } = teller;
  const payment = await sell({ amount }, teller);
  if (payment.attributes.status === 'failed') return;
  await merchant.until(payment, ({ attributes }) => attributes.status !== 'succeeded');
  const dispute = await disputeOf(merchant, payment);
  const path = `/v2/disputes/${dispute.id}`;
  if (say === 'accept') await merchant.write(`${name} accept`, 'PATCH', `${path}/accept`);
  else {
    const attributes = { uncategorized_text: 'They came.' };
    const data = { type: 'disputes', id: dispute.id, attributes };
    await merchant.write(`${name} evidence`, 'PATCH', path, { data });
    await merchant.write(`${name} submit`, 'PATCH', `${path}/submit`);
  }
  await settled(teller, dispute);
}

async function disputeOf(merchant: Merchant, payment: Resource): Promise<Resource> {
  const [dispute] = await merchant.list(`/v2/disputes?filter[payment_demand]=${payment.id}`);
  if (!dispute) throw new Error('a payment is disputed without a dispute');
  return dispute;
}

const sell = (
  { amount }: { readonly amount: number },
  teller: Teller,
  card = DEFAULT_CARD,
): Promise<Resource> => pay(teller, card, { amount_cents: amount });

const hold = ({ amount }: { readonly amount: number }, teller: Teller): Promise<Resource> =>
  pay(teller, DEFAULT_CARD, { amount_cents: amount, capture_method: 'manual' });

/** A payment that has an outcome, or is held. */
async function pay(teller: Teller, card: string, attributes: object): Promise<Resource> {
  const { merchant, parties, name } = teller;
  const purchase = {
    amount_currency: 'USD',
    purchase_reference: name,
    purchase_kind: 'order',
    confirmed: true,
    ...attributes,
  };
  const payment = merchant.make(name, 'payment_demands', purchase, parties.get(card));
  return settled(teller, await made(payment));
}

const voidHold = ({ merchant, name }: Teller, { id }: Resource): Promise<Answer> =>
  merchant.write(`${name} void`, 'PATCH', `/v2/payment_demands/${id}/void`);

/** A refund or a capture to its end, where it is not refused. */
async function follow(
  teller: Teller,
  type: 'refund_demands' | 'capture_demands',
  payment_demand: Resource,
  attributes: object,
): Promise<void> {
  const key = `${teller.name} ${type}`;
  const { data } = await teller.merchant.make(key, type, attributes, { payment_demand });
  if (data) await settled(teller, data);
}

const open = new Set<unknown>([
  'pending',
  'processing',
  'needs_response',
  'under_review',
  'accepted',
]);

const settled = ({ merchant }: Teller, record: Resource): Promise<Resource> =>
  merchant.until(
    record,
    ({ attributes: { status, state } }) => !open.has(status) && !open.has(state),
  );
