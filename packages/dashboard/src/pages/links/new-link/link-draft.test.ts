import { describe, expect, it } from 'vitest';
import { expiryOf, linkDraft, noLink, wrongLinkInputs } from './link-draft.ts';

const NOW = Date.parse('2027-03-01T12:00:00Z');
const roses = { ...noLink, title: ' Roses ', amount: '25', currency: 'USD' };

describe('a new payment link', () => {
  it('needs a title only: it can be paid any number of times and never ends', () => {
    expect(wrongLinkInputs(noLink)).toEqual({ title: 'required' });
    expect(wrongLinkInputs(roses)).toEqual({});
    expect(linkDraft(roses, 2500, NOW).attributes).toEqual({
      ...{ title: 'Roses', amount_cents: 2500, amount_currency: 'USD', email_receipt: true },
    });
  });

  it('can be paid once, or a number of times', () => {
    expect(linkDraft({ ...roses, uses: 'once' }, 1, NOW).attributes).toMatchObject({ uses_max: 1 });
    const limited = { ...roses, uses: 'limited' as const };
    expect(wrongLinkInputs(limited)).toEqual({ usesMax: 'not_a_number' });
    expect(wrongLinkInputs({ ...limited, usesMax: '0' })).toEqual({ usesMax: 'not_a_number' });
    const twenty = linkDraft({ ...limited, usesMax: '20' }, 1, NOW);
    expect(twenty.attributes).toMatchObject({ uses_max: 20 });
  });

  it.each([
    ['never', undefined],
    ['one_day', '2027-03-02T12:00:00.000Z'],
    ['seven_days', '2027-03-08T12:00:00.000Z'],
    ['thirty_days', '2027-03-31T12:00:00.000Z'],
  ] as const)('ends by the preset %s', (expiry, end) => {
    expect(expiryOf({ ...roses, expiry }, NOW)).toBe(end);
  });

  it('ends with the chosen day where the person is', () => {
    const chosen = { ...roses, expiry: 'on_day' as const };
    expect(wrongLinkInputs(chosen)).toEqual({ expiryDay: 'required' });
    const end = expiryOf({ ...chosen, expiryDay: '2027-03-05' }, NOW) ?? '';
    expect(new Date(end).toString()).toContain('Mar 05 2027 23:59:59');
  });

  it('belongs to a customer, if one is given', () => {
    expect(linkDraft(roses, 2500, NOW).relationships).toBeUndefined();
    const customer = { data: { type: 'customers', id: 'ada' } };
    expect(linkDraft(roses, 2500, NOW, 'ada').relationships).toEqual({ customer });
  });

  it('starts a subscription where a period is chosen', () => {
    const { attributes } = linkDraft({ ...roses, period: 'one_month' }, 2500, NOW);
    expect(attributes).toMatchObject({ billing_period: 'one_month' });
  });
});
