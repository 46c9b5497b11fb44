import { sandboxCards } from '@florin/contract/card/sandbox-cards.ts';
import { describe, expect, it } from 'vitest';
import { type CardEntry, problemsOf } from './checks.ts';

const now = new Date('2030-06-15T12:00:00Z');
const numberOf = (token: string): string =>
  sandboxCards.find((card) => card.token === token)?.number ?? '';
const visa: CardEntry = { number: numberOf('pan_test_visa'), expiry: '12 / 31', cvv: '123' };
const amex: CardEntry = { ...visa, number: numberOf('pan_test_amex'), cvv: '1234' };

describe('problemsOf', () => {
  it.each([
    ['visa', visa],
    ['amex', amex],
    ['this month', { ...visa, expiry: '06 / 30' }],
  ])('finds nothing wrong with a good card (%s)', (_name, entry) => {
    expect(problemsOf(entry, now)).toEqual({});
  });

  it('asks for whatever is empty', () => {
    expect(problemsOf({ number: '', expiry: '', cvv: '' }, now)).toEqual({
      number: 'Enter the card number.',
      expiry: 'Enter the expiry date.',
      cvv: 'Enter the 3 digits on the back.',
    });
  });

  it.each([
    ['too short', { number: visa.number.slice(0, 9) }, 'The card number is too short.'],
    ['wrong check digit', { number: `${visa.number.slice(0, -1)}5` }, /typing error/],
  ])('says what is wrong with a number that has a %s', (_name, change, text) => {
    expect(problemsOf({ ...visa, ...change }, now).number).toMatch(text);
  });

  it.each([
    ['12 / ', /such as 04/],
    ['1', /such as 04/],
    ['00 / 31', /between 01 and 12/],
    ['13 / 31', /between 01 and 12/],
    ['05 / 30', /expired/],
    ['12 / 20', /expired/],
    ['12 / 99', /Check the year/],
  ])('says what is wrong with the expiry %s', (expiry, text) => {
    expect(problemsOf({ ...visa, expiry }, now).expiry).toMatch(text);
  });

  it('asks for the security code that the network prints', () => {
    expect(problemsOf({ ...visa, cvv: '1234' }, now).cvv).toBe('Enter the 3 digits on the back.');
    expect(problemsOf({ ...amex, cvv: '123' }, now).cvv).toBe('Enter the 4 digits on the front.');
  });
});
