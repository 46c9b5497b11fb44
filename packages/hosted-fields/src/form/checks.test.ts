import { sandboxCards } from '@florin/contract/card/sandbox-cards.ts';
import { describe, expect, it } from 'vitest';
import { type CardEntry, hasUsualLength, problemsOf } from './checks.ts';

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

  it('asks for empty fields', () => {
    expect(problemsOf({ number: '', expiry: '', cvv: '' }, now)).toEqual({
      number: 'number_missing',
      expiry: 'expiry_missing',
      cvv: 'cvv_back',
    });
  });

  it.each([
    ['too short', { number: visa.number.slice(0, 9) }, 'number_short'],
    ['wrong check digit', { number: `${visa.number.slice(0, -1)}5` }, 'number_wrong'],
  ])('explains what is wrong with a number that has a %s', (_name, change, text) => {
    expect(problemsOf({ ...visa, ...change }, now).number).toBe(text);
  });

  it.each([
    ['12 / ', 'expiry_incomplete'],
    ['1', 'expiry_incomplete'],
    ['00 / 31', 'expiry_month'],
    ['13 / 31', 'expiry_month'],
    ['05 / 30', 'expiry_past'],
    ['12 / 20', 'expiry_past'],
    ['12 / 99', 'expiry_far'],
  ])('explains what is wrong with the expiry %s', (expiry, text) => {
    expect(problemsOf({ ...visa, expiry }, now).expiry).toBe(text);
  });

  it('asks for the verification value that the network prints', () => {
    expect(problemsOf({ ...visa, cvv: '1234' }, now).cvv).toBe('cvv_back');
    expect(problemsOf({ ...amex, cvv: '123' }, now).cvv).toBe('cvv_front');
  });
});

describe('hasUsualLength', () => {
  it.each([
    ['4', 16, true],
    ['4', 15, false],
    ['4', 19, true],
    ['34', 15, true],
    ['36', 14, false],
    ['36', 16, true],
    ['62', 16, false],
    ['62', 19, true],
    ['50', 16, false],
    ['1', 16, true],
    ['', 0, false],
  ])('of a number that begins with %j and has %i digits is %j', (beginning, length, expected) => {
    expect(hasUsualLength(beginning.padEnd(length, '0'))).toBe(expected);
  });
});
