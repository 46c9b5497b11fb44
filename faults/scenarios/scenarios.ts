import { eventCodes } from '@florin/contract/resources/event-codes.ts';
import type { Plan, Scenario } from '../plan.ts';
import { answerDispute, disputesOf, runDisputes } from './dispute-scenario.ts';
import type { Answer, Merchant, Resource } from './merchant.ts';
import { runRenewals } from './renewal-scenario.ts';
import {
  createFollowUp,
  GOOD_CARD,
  isHeld,
  isPaid,
  makeAddress,
  makeCard,
  type Parties,
  pay,
  type ScenarioContext,
  sell,
  waitForCreated,
  waitUntilIdle,
} from './scenario-context.ts';
import { runSubscription } from './subscription-scenario.ts';

/** Number of concurrent scenarios. */
const CONCURRENT_SCENARIOS = 7;

/** Runs all planned scenarios of a merchant. Rejects if a request gets no response or a scenario does not end. */
export async function runScenarios(merchant: Merchant, plan: Plan, hookUrl: string): Promise<void> {
  await waitForCreated(
    merchant.make('hook', 'webhook_subscriptions', { url: hookUrl, events: [...eventCodes] }),
  );
  await choosePolicy(merchant, plan);
  const parties = await makeParties(merchant, plan.scenarios);
  const remainingScenarios = plan.scenarios.map((scenario, at) => ({
    scenario,
    name: `scenario ${at + 1}`,
  }));
  const runNext = async (): Promise<void> => {
    for (let entry = remainingScenarios.shift(); entry; entry = remainingScenarios.shift()) {
      const { scenario, name } = entry;
      await scenarioRunners[scenario.kind](scenario as never, { merchant, parties, name });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_SCENARIOS }, runNext));
}

async function choosePolicy(merchant: Merchant, { latePolicy }: Plan): Promise<void> {
  const [{ type, id } = { type: '', id: '' }] = await merchant.list('/v2/merchants');
  const document = { data: { type, id, attributes: { late_approvals: latePolicy } } };
  const { status } = await merchant.write('policy', 'PATCH', `/v2/merchants/${id}`, document);
  if (status !== 200) throw new Error(`the policy of late approvals was answered with ${status}`);
}

async function makeParties(merchant: Merchant, scenarios: readonly Scenario[]): Promise<Parties> {
  const payer = await waitForCreated(
    merchant.make('payer', 'customers', { email: 'ada@example.com', name: 'Ada' }),
  );
  const billing_address = await makeAddress(merchant, 'address', payer);
  const cards = new Set(
    scenarios.map((scenario) => ('card' in scenario ? scenario.card : GOOD_CARD)),
  );
  const entries = [...cards.add(GOOD_CARD)].map(async (card) => {
    const payment_method = await makeCard(merchant, card, card, payer);
    return [card, { payer, billing_address, payment_method }] as const;
  });
  return new Map(await Promise.all(entries));
}

type ScenarioOf<Kind extends Scenario['kind']> = Extract<Scenario, { kind: Kind }>;

const scenarioRunners: {
  readonly [Kind in Scenario['kind']]: (
    scenario: ScenarioOf<Kind>,
    context: ScenarioContext,
  ) => Promise<void>;
} = {
  sale: async (scenario, context) => void (await sell(scenario, context, scenario.card)),
  refunds: runRefunds,
  capture: async ({ amount, part }, context) => {
    const payment = await createHold({ amount }, context);
    if (!isHeld(payment)) return;
    await createFollowUp(context, 'capture_demands', payment, { amount_cents: part });
    await waitUntilIdle(context, payment);
  },
  captures: runCaptures,
  void: async (scenario, context) => {
    const payment = await createHold(scenario, context);
    if (!isHeld(payment)) return;
    await voidHold(context, payment);
    await waitUntilIdle(context, payment);
  },
  capture_and_void: async (scenario, context) => {
    const payment = await createHold(scenario, context);
    if (!isHeld(payment)) return;
    // Capture and void race: one wins, and the other is refused.
    await Promise.all([
      createFollowUp(context, 'capture_demands', payment, {}),
      voidHold(context, payment),
    ]);
    await waitUntilIdle(context, payment);
  },
  dispute: runDispute,
  disputes: runDisputes,
  saved_card: runSavedCard,
  late: runLate,
  subscription: runSubscription,
  renewals: runRenewals,
};

async function runCaptures(
  { amount, part }: ScenarioOf<'captures'>,
  context: ScenarioContext,
): Promise<void> {
  const payment = await createHold({ amount }, context);
  if (!isHeld(payment)) return;
  const capture = (name: string, attributes: object) =>
    createFollowUp(
      { ...context, name: `${context.name} ${name}` },
      'capture_demands',
      payment,
      attributes,
    );
  await Promise.all(
    ['first', 'second'].map((name) => capture(name, { amount_cents: part, final: false })),
  );
  await waitUntilIdle(context, payment);
  await capture('rest', {});
  await waitUntilIdle(context, payment);
}

async function runRefunds(
  { amount, parts }: ScenarioOf<'refunds'>,
  context: ScenarioContext,
): Promise<void> {
  const payment = await sell({ amount }, context);
  if (!isPaid(payment)) return;
  const refunds = parts.map((amount_cents, at) =>
    createFollowUp({ ...context, name: `${context.name} ${at}` }, 'refund_demands', payment, {
      amount_cents,
      reason: 'technical_issue',
    }),
  );
  await Promise.all(refunds);
}

async function runDispute(
  { amount, answer }: ScenarioOf<'dispute'>,
  context: ScenarioContext,
): Promise<void> {
  const payment = await sell({ amount }, context);
  if (payment.attributes.status === 'failed') return;
  const [dispute] = await disputesOf(context.merchant, payment, 1);
  await answerDispute(context, dispute as Resource, answer);
}

/** Uses the scenario's own card, so that later charges refer to a payment of this scenario. */
async function runSavedCard(
  { amount, laterAmounts }: ScenarioOf<'saved_card'>,
  context: ScenarioContext,
): Promise<void> {
  const { merchant, parties, name } = context;
  const { payment_method: _otherMethod, ...otherParties } = parties.get(GOOD_CARD) ?? {};
  const customer = otherParties.payer as Resource;
  const payment_method = await makeCard(merchant, `${name} card`, GOOD_CARD, customer);
  const relations = { ...otherParties, payment_method };
  if (!isPaid(await pay(context, { amount_cents: amount }, relations))) return;
  const charges = laterAmounts.map((amount_cents, at) =>
    pay(
      { ...context, name: `${name} later ${at}` },
      { amount_cents, initiator: 'merchant' },
      relations,
    ),
  );
  await Promise.all(charges);
}

async function runLate(
  { amount, hasHold }: ScenarioOf<'late'>,
  context: ScenarioContext,
): Promise<void> {
  const payment = await pay(context, {
    amount_cents: amount,
    metadata: { simulate: 'late_approval' },
    ...(hasHold && MANUAL_CAPTURE),
  });
  if (isHeld(payment)) await createFollowUp(context, 'capture_demands', payment, {});
}

const MANUAL_CAPTURE = { capture_method: 'manual' } as const;

const createHold = (
  { amount }: { readonly amount: number },
  context: ScenarioContext,
): Promise<Resource> => pay(context, { amount_cents: amount, ...MANUAL_CAPTURE });

const voidHold = ({ merchant, name }: ScenarioContext, { id }: Resource): Promise<Answer> =>
  merchant.write(`${name} void`, 'PATCH', `/v2/payment_demands/${id}/void`);
