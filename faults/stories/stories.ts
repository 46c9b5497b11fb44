import { eventCodes } from '@florin/contract/resources/event-codes.ts';
import type { Plan, Story } from '../plan.ts';
import { answer, disputesOf, runDisputes } from './dispute-story.ts';
import type { Answer, Merchant, Resource } from './merchant.ts';
import { runRenewals } from './renewal-story.ts';
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
  type StoryContext,
  sell,
  untilIdle,
} from './story-context.ts';
import { runSubscription } from './subscription-story.ts';

/** Number of concurrent stories. */
const CONCURRENT_STORIES = 7;

/** Runs all planned stories of a merchant. Rejects if a request gets no response or a story does not end. */
export async function runStories(merchant: Merchant, plan: Plan, hook: string): Promise<void> {
  await made(
    merchant.make('hook', 'webhook_subscriptions', { url: hook, events: [...eventCodes] }),
  );
  await choosePolicy(merchant, plan);
  const parties = await makeParties(merchant, plan.stories);
  const left = plan.stories.map((story, at) => ({ story, name: `story ${at + 1}` }));
  const runNext = async (): Promise<void> => {
    for (let next = left.shift(); next; next = left.shift()) {
      const { story, name } = next;
      await contexts[story.kind](story as never, { merchant, parties, name });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_STORIES }, runNext));
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

const contexts: {
  readonly [Kind in Story['kind']]: (story: StoryOf<Kind>, context: StoryContext) => Promise<void>;
} = {
  sale: async (story, context) => void (await sell(story, context, story.card)),
  refunds: runRefunds,
  capture: async ({ amount, part }, context) => {
    const held = await hold({ amount }, context);
    if (!isHeld(held)) return;
    await follow(context, 'capture_demands', held, { amount_cents: part });
    await untilIdle(context, held);
  },
  void: async (story, context) => {
    const held = await hold(story, context);
    if (!isHeld(held)) return;
    await voidHold(context, held);
    await untilIdle(context, held);
  },
  capture_and_void: async (story, context) => {
    const held = await hold(story, context);
    if (!isHeld(held)) return;
    // Capture and void race: one wins, and the other is refused.
    await Promise.all([follow(context, 'capture_demands', held, {}), voidHold(context, held)]);
    await untilIdle(context, held);
  },
  dispute: runDispute,
  disputes: runDisputes,
  saved_card: runSavedCard,
  late: runLate,
  subscription: runSubscription,
  renewals: runRenewals,
};

async function runRefunds(
  { amount, parts }: StoryOf<'refunds'>,
  context: StoryContext,
): Promise<void> {
  const payment = await sell({ amount }, context);
  if (!isPaid(payment)) return;
  const refunds = parts.map((amount_cents, at) =>
    follow({ ...context, name: `${context.name} ${at}` }, 'refund_demands', payment, {
      amount_cents,
      reason: 'technical_issue',
    }),
  );
  await Promise.all(refunds);
}

async function runDispute(
  { amount, say }: StoryOf<'dispute'>,
  context: StoryContext,
): Promise<void> {
  const payment = await sell({ amount }, context);
  if (payment.attributes.status === 'failed') return;
  const [dispute] = await disputesOf(context.merchant, payment, 1);
  await answer(context, dispute as Resource, say);
}

/** Uses the story's own card, so that later charges refer to a payment of this story. */
async function runSavedCard(
  { amount, later }: StoryOf<'saved_card'>,
  context: StoryContext,
): Promise<void> {
  const { merchant, parties, name } = context;
  const { payment_method: _other, ...others } = parties.get(GOOD_CARD) ?? {};
  const customer = others.payer as Resource;
  const payment_method = await makeCard(merchant, `${name} card`, GOOD_CARD, customer);
  const relations = { ...others, payment_method };
  if (!isPaid(await pay(context, { amount_cents: amount }, relations))) return;
  const charges = later.map((amount_cents, at) =>
    pay(
      { ...context, name: `${name} later ${at}` },
      { amount_cents, initiator: 'merchant' },
      relations,
    ),
  );
  await Promise.all(charges);
}

async function runLate({ amount, held }: StoryOf<'late'>, context: StoryContext): Promise<void> {
  const payment = await pay(context, {
    amount_cents: amount,
    metadata: { simulate: 'late_approval' },
    ...(held && manual),
  });
  if (isHeld(payment)) await follow(context, 'capture_demands', payment, {});
}

const manual = { capture_method: 'manual' } as const;

const hold = ({ amount }: { readonly amount: number }, context: StoryContext): Promise<Resource> =>
  pay(context, { amount_cents: amount, ...manual });

const voidHold = ({ merchant, name }: StoryContext, { id }: Resource): Promise<Answer> =>
  merchant.write(`${name} void`, 'PATCH', `/v2/payment_demands/${id}/void`);
