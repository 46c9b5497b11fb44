/**
 * A card network: its issuer identification numbers (IIN), number lengths and verification value
 * length.
 */
export interface CardNetwork {
  readonly brand: CardBrand;
  /** Ranges of leading digits, both ends included. Both ends have the same number of digits. */
  readonly ranges: readonly (readonly [from: string, to: string])[];
  readonly lengths: readonly number[];
  readonly cvv_length: 3 | 4;
  /** Sizes of the digit groups, as printed on cards. */
  readonly groups: readonly number[];
}

export type CardBrand =
  | 'visa'
  | 'mastercard'
  | 'amex'
  | 'discover'
  | 'diners'
  | 'jcb'
  | 'unionpay'
  | 'maestro'
  | 'unknown';

const fours = [4, 4, 4, 4, 3] as const;

export const cardNetworks: readonly CardNetwork[] = [
  { brand: 'visa', ranges: [['4', '4']], lengths: [13, 16, 19], cvv_length: 3, groups: fours },
  {
    brand: 'mastercard',
    ranges: [
      ['51', '55'],
      ['2221', '2720'],
    ],
    lengths: [16],
    cvv_length: 3,
    groups: fours,
  },
  {
    brand: 'amex',
    ranges: [
      ['34', '34'],
      ['37', '37'],
    ],
    lengths: [15],
    cvv_length: 4,
    groups: [4, 6, 5],
  },
  {
    brand: 'discover',
    ranges: [
      ['6011', '6011'],
      ['644', '649'],
      ['65', '65'],
    ],
    lengths: [16, 19],
    cvv_length: 3,
    groups: fours,
  },
  {
    brand: 'diners',
    ranges: [
      ['300', '305'],
      ['36', '36'],
      ['38', '39'],
    ],
    lengths: [14, 16, 19],
    cvv_length: 3,
    groups: [4, 6, 4],
  },
  {
    brand: 'jcb',
    ranges: [['3528', '3589']],
    lengths: [16, 17, 18, 19],
    cvv_length: 3,
    groups: fours,
  },
  {
    brand: 'unionpay',
    ranges: [['62', '62']],
    lengths: [16, 17, 18, 19],
    cvv_length: 3,
    groups: fours,
  },
  {
    brand: 'maestro',
    ranges: [
      ['50', '50'],
      ['56', '59'],
      ['6304', '6304'],
      ['6759', '6763'],
    ],
    lengths: [13, 14, 15, 16, 17, 18, 19],
    cvv_length: 3,
    groups: fours,
  },
];

const covers = (digits: string, [from, to]: readonly [string, string]): boolean => {
  const head = digits.slice(0, from.length);
  return head.length === from.length && head >= from && head <= to;
};

/**
 * Network of a card number's leading digits. Undefined if the digits are ambiguous or in no known
 * range.
 */
export const networkOf = (digits: string): CardNetwork | undefined =>
  cardNetworks.find((network) => network.ranges.some((range) => covers(digits, range)));

export const brandOf = (digits: string): CardBrand => networkOf(digits)?.brand ?? 'unknown';
