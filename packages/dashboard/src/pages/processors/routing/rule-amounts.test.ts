import { describe, expect, it } from 'vitest';
import { amountTextsOf, amountUnitOf, readRuleAmounts } from './rule-amounts.ts';

const none = { amount_min: '', amount_max: '' };

describe('amounts of a rule', () => {
  it.each<[string, readonly string[], string, boolean]>([
    ['one currency', ['JPY'], 'JPY', false],
    ['currencies with the same decimals', ['USD', 'EUR'], 'USD', false],
    ['currencies with other decimals', ['USD', 'JPY'], 'EUR', true],
    ['every currency', [], 'EUR', true],
  ])('for %s have decimals', (_, currencies, currency, isMixed) => {
    expect(amountUnitOf(currencies)).toEqual({ currency, isMixed });
  });

  it.each<[string, readonly string[], number]>([
    ['10,5', ['EUR'], 1_050],
    ['1000', ['JPY'], 1_000],
    ['1,234', ['BHD'], 1_234],
    ['10', [], 1_000],
  ])('%s of %j are minor units, and the same text again', (text, currencies, minor_units) => {
    const { amounts } = readRuleAmounts({ ...none, amount_min: text }, currencies, 'de');
    expect(amounts).toEqual({ amount_min: minor_units });
    const again = amountTextsOf({ ...amounts, currencies }, 'de');
    expect(readRuleAmounts(again, currencies, 'de').amounts).toEqual(amounts);
    expect(again.amount_max).toBe('');
  });

  it('that cannot be read have problems', () => {
    const texts = { amount_min: '10.5', amount_max: 'ten' };
    expect(readRuleAmounts(texts, ['JPY'], 'en')).toEqual({
      amounts: {},
      problems: { amount_min: 'too_many_digits', amount_max: 'not_an_amount' },
    });
  });
});
