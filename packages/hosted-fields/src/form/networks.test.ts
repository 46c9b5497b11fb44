import { isValidCardNumber } from '@florin/contract/card/card-number.ts';
import { luhnOk } from '@florin/contract/card/luhn.ts';
import { type CardBrand, cardNetworks, networkOf } from '@florin/contract/card/networks.ts';
import creditCardType from 'credit-card-type';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { numberFormat } from './formats.ts';

/** Networks in both tables: the form's name, and the library's. */
const packageBrands: Partial<Record<CardBrand, string>> = {
  visa: 'visa',
  mastercard: 'mastercard',
  amex: 'american-express',
  discover: 'discover',
  diners: 'diners-club',
  jcb: 'jcb',
};
const brands = Object.keys(packageBrands) as CardBrand[];
/** Networks that the form does not know, or treats as the card's international brand. */
const local = ['troy', 'naranja', 'verve', 'elo', 'mir', 'hiper', 'hipercard'];

/** Prefixes of 8 digits: random, and near the ends of the form's ranges. */
const prefix = fc.oneof(
  fc
    .constantFrom(...cardNetworks.flatMap(({ ranges }) => ranges.flat()))
    .chain((edge) =>
      fc
        .record({ step: fc.integer({ min: -1, max: 1 }), rest: fc.stringMatching(/^\d{7}$/) })
        .map(({ step, rest }) => `${Number(edge) + step}${rest}`.slice(0, 8)),
    ),
  fc.stringMatching(/^\d{8}$/),
);

/** Prefixes that JCB has not issued since 1987. */
const isOldJcb = (digits: string): boolean => /^(2131|1800)/.test(digits);
/** Former Maestro range within Visa's range, unused since the local scheme that used it closed. */
const isOldMaestro = (digits: string): boolean => digits.startsWith('493698');

describe('the table of card networks', () => {
  it('#25 finds the same network as credit-card-type', () => {
    fc.assert(
      fc.property(prefix, (digits) => {
        const known = creditCardType(digits).map(({ type }) => type as string);
        const isLocal = known.some((type) => local.includes(type));
        fc.pre(!isLocal && !isOldJcb(digits) && !isOldMaestro(digits));
        const ourBrand = networkOf(digits)?.brand;
        for (const brand of brands) {
          expect(known.includes(packageBrands[brand]!), `${brand} of ${digits}`).toBe(
            ourBrand === brand,
          );
        }
      }),
      { numRuns: 5_000 },
    );
  });

  it.each(brands)(
    '#25 has the same lengths of numbers and codes for %s as credit-card-type',
    (brand) => {
      const { lengths, cvv_length, groups } = cardNetworks.find((it) => it.brand === brand)!;
      const info = creditCardType.getTypeInfo(packageBrands[brand]!);
      // Visa once issued numbers of 13 digits, and test cards still have them. Numbers of 18 digits do not occur.
      const expected = brand === 'visa' ? [13, 16, 19] : info.lengths;
      expect(lengths).toEqual(expected);
      expect(cvv_length).toBe(info.code.size);
      const gaps = groups
        .slice(0, -1)
        .map((_, at) => groups.slice(0, at + 1).reduce((a, b) => a + b));
      expect(gaps.filter((gap) => gap < Math.min(...info.lengths))).toEqual(info.gaps);
    },
  );

  it('#25 accepts and fully shows every number of valid length and check digit, up to 19 digits', () => {
    const network = fc.constantFrom(...cardNetworks);
    const any = fc.tuple(network, fc.nat(), fc.nat(), fc.stringMatching(/^\d{18}$/));
    fc.assert(
      fc.property(any, ([{ brand, ranges, lengths }, which, size, rest]) => {
        const [start] = ranges[which % ranges.length]!;
        const length = lengths[size % lengths.length]!;
        const head = `${start}${rest}`.slice(0, length - 1);
        const check = [...'0123456789'].find((digit) => luhnOk(head + digit));
        const number = head + check;
        expect(networkOf(number)?.brand).toBe(brand);
        expect(isValidCardNumber(number)).toBe(true);
        expect(numberFormat.show(numberFormat.digits(number)).replaceAll(' ', '')).toBe(number);
      }),
    );
  });
});
