import { sandboxCards } from '@florin/contract/card/sandbox-cards.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cvvFormat, expiryFormat, numberFormat } from './formats.ts';

const shownExpiry = (raw: string): string => expiryFormat.show(expiryFormat.digits(raw));

describe('numberFormat', () => {
  it.each(sandboxCards.map(({ token, number }) => [token, number]))(
    'keeps every digit of %s',
    (_token, number) => {
      expect(numberFormat.show(numberFormat.digits(number)).replaceAll(' ', '')).toBe(number);
    },
  );

  it.each([
    ['37', '37'],
    ['370000999999990', '3700 009999 99990'],
    ['4444333322221111455', '4444 3333 2222 1111 455'],
    ['30000000000000', '3000 000000 0000'],
    ['', ''],
  ])('shows digits in the groups of their network (%#)', (digits, text) => {
    expect(numberFormat.show(digits)).toBe(text);
  });

  it("cuts digits beyond the network's length", () => {
    expect(numberFormat.digits(`37${'0'.repeat(20)}`)).toHaveLength(15);
    expect(numberFormat.digits(`4${'0'.repeat(30)}`)).toHaveLength(19);
  });
});

describe('expiryFormat', () => {
  it.each([
    ['1', '1'],
    ['0', '0'],
    ['5', '05 / '],
    ['1/', '01 / '],
    ['12', '12 / '],
    ['13', '01 / 3'],
    ['1230', '12 / 30'],
    ['12/30', '12 / 30'],
    ['12/2030', '12 / 30'],
    ['12 / 20', '12 / 20'],
    ['5/31', '05 / 31'],
    ['0 1 / 3 0', '01 / 30'],
    ['2030-12', '12 / 30'],
    ['١٢/٣٠', '12 / 30'],
    ['abc', ''],
  ])('%s is shown as %s', (raw, text) => {
    expect(shownExpiry(raw)).toBe(text);
  });

  it('leaves its own output unchanged', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9 /-]{0,9}$/), (raw) => {
        const text = shownExpiry(raw);
        expect(shownExpiry(text)).toBe(text);
      }),
    );
  });
});

describe('cvvFormat', () => {
  it('keeps four digits at most', () => {
    expect(cvvFormat.digits(' 12 34 5')).toBe('1234');
  });
});
