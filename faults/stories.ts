import { eventCodes } from '@florin/contract/resources/event-codes.ts';
import { answer, disputesOf, tellDisputes } from './dispute-story.ts';
import type { Answer, Merchant, Resource } from './merchant.ts';
import type { Plan, Story } from './plan.ts';
import { tellRenewals } from './renewal-story.ts';
import { tellSubscription } from './subscription-story.ts';
import {
  follow,
  GOOD_CARD,
  isHeld,
  isPaid,
  made,
  makeAddress,
  makeCard,
  type Parties,
  pay,
  sell,
  settled,
  type Teller,
} from './teller.ts';

/** Concurrent stories. */
const TELLERS = 7;

/** Runs all planned stories of a merchant. Rejects if a request gets no response or a story does not end. */
export async function tellStories(merchant: Merchant, plan: Plan, hook: string): Promise<void> {
  await made(
    merchant.make('hook', 'webhook_subscriptions', { url: hook, events: [...eventCodes] }),
  );
  await choosePolicy(merchant, plan);
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

async function choosePolicy(merchant: Merchant, { late }: Plan): Promise<void> {
  const [{ type, id } = { type: '', id: '' }] = await merchant.list('/v2/merchants');
  const document = { data: { type, id, attributes: { late_approvals: late } } };
  const { status } = await merchant.write('policy', 'PATCH', `/v2/merchants/${id}`, document);
  if (status !== 200) throw new Error(`the policy of late approvals was answered with ${status}`);
}

async function makeParties(merchant: Merchant, stories: readonly Story[]): Promise<Parties> {
  const payer = await made(
    merchant.make('payer', 'customers', { email: 'ada@example.com', name: 'Ada' }),
  );
  const billing_address = await makeAddress(merchant, 'address', payer);
  const cards = new Set(stories.map((story) => ('card' in story ? story.card : GOOD_CARD)));
  const entries = [...cards.add(GOOD_CARD)].map(async (card) => {
    const payment_method = await makeCard(merchant, card, card, payer);
    return [card, { payer, billing_address, payment_method }] as const;
  });
  return new Map(await Promise.all(entries));
}

type StoryOf<Kind extends Story['kind']> = Extract<Story, { kind: Kind }>;

const tellers: {
  readonly [Kind in Story['kind']]: (story: StoryOf<Kind>, teller: Teller) => Promise<void>;
} = {
  sale: async (story, teller) => void (await sell(story, teller, story.card)),
  refunds: tellRefunds,
  capture: async ({ amount, part }, teller) => {
    const held = await hold({ amount }, teller);
    if (!isHeld(held)) return;
    await follow(teller, 'capture_demands', held, { amount_cents: part });
    await settled(teller, held);
  },
  void: async (story, teller) => {
    const held = await hold(story, teller);
    if (!isHeld(held)) return;
    await voidHold(teller, held);
    await settled(teller, held);
  },
  capture_and_void: async (story, teller) => {
    const held = await hold(story, teller);
    if (!isHeld(held)) return;
    // Both race: one wins, and the other is refused.
    await Promise.all([follow(teller, 'capture_demands', held, {}), voidHold(teller, held)]);
    await settled(teller, held);
  },
  dispute: tellDispute,
  disputes: tellDisputes,
  saved_card: tellSavedCard,
  late: tellLate,
  subscription: tellSubscription,
  renewals: tellRenewals,
};

async function tellRefunds({ amount, parts }: StoryOf<'refunds'>, teller: Teller): Promise<void> {
  const payment = await sell({ amount }, teller);
  if (!isPaid(payment)) return;
  const refunds = parts.map((amount_cents, at) =>
    follow({ ...teller, name: `${teller.name} ${at}` }, 'refund_demands', payment, {
      amount_cents,
      reason: 'technical_issue',
    }),
  );
  await Promise.all(refunds);
}

async function tellDispute({ amount, say }: StoryOf<'dispute'>, teller: Teller): Promise<void> {
  const payment = await sell({ amount }, teller);
  if (payment.attributes.status === 'failed') return;
  const [dispute] = await disputesOf(teller.merchant, payment, 1);
  await answer(teller, dispute as Resource, say);
}

/** Uses a card of its own, so that later charges refer to a payment of this story. */
async function tellSavedCard(
  { amount, later }: StoryOf<'saved_card'>,
  teller: Teller,
): Promise<void> {
  const { merchant, parties, name } = teller;
  const { payment_method: _other, ...others } = parties.get(GOOD_CARD) ?? {};
  const customer = others.payer as Resource;
  const payment_method = await makeCard(merchant, `${name} card`, GOOD_CARD, customer);
  const relations = { ...others, payment_method };
  if (!isPaid(await pay(teller, { amount_cents: amount }, relations))) return;
  const charges = later.map((amount_cents, at) =>
    pay(
      { ...teller, name: `${name} later ${at}` },
      { amount_cents, initiator: 'merchant' },
      relations,
    ),
  );
  await Promise.all(charges);
}

async function tellLate({ amount, held }: StoryOf<'late'>, teller: Teller): Promise<void> {
  const payment = await pay(teller, {
    amount_cents: amount,
    metadata: { simulate: 'late_approval' },
    ...(held && manual),
  });
  if (isHeld(payment)) await follow(teller, 'capture_demands', payment, {});
}

const manual = { capture_method: 'manual' } as const;

const hold = ({ amount }: { readonly amount: number }, teller: Teller): Promise<Resource> =>
  pay(teller, { amount_cents: amount, ...manual });

const voidHold = ({ merchant, name }: Teller, { id }: Resource): Promise<Answer> =>
  merchant.write(`${name} void`, 'PATCH', `/v2/payment_demands/${id}/void`);
