import { billingPeriods } from '@florin/contract/resources/payment-subscriptions.ts';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { documentOf, type ResourceObject } from '../support/client.ts';
import { makeAddress, makeCustomer, makeMethod, makeSubscription } from '../support/make.ts';
import { drained, storyClock } from '../support/story.ts';

const clock = storyClock('2027-01-30T00:00:00Z');
const api = useApi({ config: { clock } });
const RUNS = 5;
const STEPS_MAX = 14;
const DAY_S = 24 * 60 * 60;

/** Something that is done to a subscription, or time that passes; what it does not take then is refused. */
type Step =
  | { readonly does: 'advance'; readonly days: number }
  | { readonly does: 'pause' | 'resume' | 'confirm' }
  | { readonly does: 'card'; readonly card: 'good' | 'poor' | 'lost' }
  | { readonly does: 'change'; readonly attributes: object };

const change = fc.record(
  {
    amount_cents: fc.integer({ min: 10, max: 20_000 }),
    billing_period: fc.constantFrom(...billingPeriods),
    proration_behavior: fc.constantFrom('none', 'create_prorations'),
  },
  { requiredKeys: ['amount_cents'] },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ does: fc.constant('advance'), days: fc.nat(30) }) },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constantFrom('pause', 'resume', 'resume', 'confirm') }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('card'),
      card: fc.constantFrom('good', 'poor', 'lost'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('change'), attributes: change }) },
) as fc.Arbitrary<Step>;

let payer: ResourceObject;
let billing_address: ResourceObject;
let cards: Record<'good' | 'poor' | 'lost', ResourceObject>;
beforeAll(async () => {
  payer = await makeCustomer(api.client);
  billing_address = await makeAddress(api.client, {}, { customer: payer });
  const [good, poor, lost] = await Promise.all(
    ['visa', 'insufficient_funds', 'lost_card'].map((card) =>
      makeMethod(api.client, card, { customer: payer }),
    ),
  );
  cards = { good, poor, lost } as typeof cards;
});

async function take(id: string, one: Step): Promise<void> {
  const path = `/v2/payment_subscriptions/${id}`;
  const { client } = api;
  if (one.does === 'advance') clock.advance(one.days * DAY_S + 60);
  else if (one.does === 'card') {
    const relations = { payment_method: cards[one.card] };
    await client.send('PATCH', path, documentOf('payment_subscriptions', {}, relations, id));
  } else if (one.does === 'change') {
    const payment_subscription = { type: 'payment_subscriptions', id };
    const document = documentOf('subscription_changes', one.attributes, { payment_subscription });
    await client.send('POST', '/v2/subscription_changes', document);
  } else await client.send('PATCH', `${path}/${one.does}`);
  await drained(client);
}

const listOf = async (path: string): Promise<Record<string, string>[]> =>
  (await api.client.get(`${path}&page[size]=500`)).body.data.map(
    ({ attributes }: ResourceObject) => attributes,
  );

/** Every moment is in one period, which was charged once or says why not; and the ledger has what was charged. */
async function isExplained(id: string): Promise<void> {
  const { attributes } = await api.client.fetch('payment_subscriptions', id);
  const ofIt = `filter[payment_subscription]=${id}`;
  const periods = (await listOf(`/v2/subscription_periods?${ofIt}`)).toSorted((one, other) =>
    (one.start_at as string) < (other.start_at as string) ? -1 : 1,
  );
  const ends = periods.map(({ end_at }) => end_at);
  expect(periods.map(({ start_at }) => start_at).slice(1)).toEqual(ends.slice(0, -1));
  if (attributes.status !== 'paused') expect(attributes.next_billing_at).toBe(ends.at(-1));
  const charges = await listOf(`/v2/payment_demands?${ofIt}`);
  const opening = charges.filter(({ billing_reason }) => billing_reason !== 'change');
  const starts = opening.map(({ period_start_at }) => period_start_at);
  expect(new Set(starts).size).toBe(starts.length);
  const paid = charges.filter(({ status }) => status === 'succeeded');
  const captured = await listOf(
    `/v2/ledger_transfers?filter[kind]=captured&filter[payment_demand.payment_subscription]=${id}`,
  );
  const sum = (all: Record<string, unknown>[]): number =>
    all.reduce((total, { amount_cents }) => total + Number(amount_cents), 0);
  expect(sum(captured)).toBe(sum(paid));
}

it('whatever is done to a subscription, each of its periods is billed once or explained', async () => {
  const property = fc.asyncProperty(
    fc.constantFrom(...billingPeriods),
    fc.constantFrom('UTC', 'Europe/Berlin', 'Pacific/Auckland'),
    fc.array(step, { minLength: 4, maxLength: STEPS_MAX }),
    async (billing_period, billing_timezone, steps) => {
      const parties = { payer, billing_address, payment_method: cards.good };
      const { id } = await makeSubscription(
        api.client,
        { confirmed: true, billing_period, billing_timezone },
        parties,
      );
      await drained(api.client);
      for (const one of steps) {
        await take(id, one);
        await isExplained(id);
      }
      await api.client.send('PATCH', `/v2/payment_subscriptions/${id}/cancel`);
    },
  );
  await fc.assert(property, { numRuns: RUNS, endOnFailure: true });
}, 120_000);
