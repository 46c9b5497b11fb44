import { expect, it } from 'vitest';
import { noSubscription, subscriptionDraft, wrongInputs } from './subscription-draft.ts';

const purchase = { cents: 2500, currency: 'USD', payer: 'p', address: 'a' };
const attributesOf = (changes: Partial<typeof noSubscription>) =>
  subscriptionDraft({ ...noSubscription, plan: 'Rosé, à deux', ...changes }, purchase, 'phone-1')
    .attributes;

it('names the plan for people and for programs', () => {
  expect(attributesOf({})).toMatchObject({
    slug: 'rose_a_deux',
    description: 'Rosé, à deux',
    line_items: [{ name: 'Rosé, à deux', quantity: 1, amount_cents: 2500 }],
  });
  expect(attributesOf({ plan: '玫瑰' })).toMatchObject({ slug: 'plan', description: '玫瑰' });
  expect(attributesOf({ plan: '7 crèmes' })).toMatchObject({ slug: 'plan_7_cremes' });
});

it.each([
  ['now', {}, ['trial_end_at', 'billing_cycle_anchor_at', 'proration_behavior']],
  ['trial', { trial_end_at: expect.stringContaining('2027-01-31T') }, ['proration_behavior']],
  [
    'prorated',
    {
      billing_cycle_anchor_at: expect.stringContaining('2027-01-31T'),
      proration_behavior: 'create_prorations',
    },
    ['trial_end_at'],
  ],
] as const)('starts %s', (start, expected, missing) => {
  const attributes = attributesOf({ start, startDay: '2027-01-31' });
  expect(attributes).toMatchObject(expected);
  for (const name of missing) expect(attributes).not.toHaveProperty(name);
});

it.each([
  [undefined, 'UTC', '2027-07-31T12:00:00.000Z'],
  ['America/New_York', 'America/New_York', '2027-07-31T16:00:00.000Z'],
  ['Asia/Kolkata', 'Asia/Kolkata', '2027-07-31T06:30:00.000Z'],
])('bills in the time zone of the merchant: %s', (timezone, billing_timezone, end_at) => {
  const values = { ...noSubscription, plan: 'Roses', endDay: '2027-07-31' };
  const { attributes } = subscriptionDraft(values, purchase, 'phone-1', timezone);
  expect(attributes).toMatchObject({ billing_timezone, end_at });
});

it('needs a plan, the day of a later start, and a whole number of charges', () => {
  expect(wrongInputs(noSubscription)).toEqual(['plan']);
  const values = { ...noSubscription, plan: 'Roses', start: 'trial', chargesMax: '0' } as const;
  expect(wrongInputs(values)).toEqual(['startDay', 'chargesMax']);
});
