import { createHash, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sandboxCards } from './sandbox-cards.ts';
import { findRawCard, findRawCardInQuery, hasRawCard, isForbiddenName, maskCards } from './scan.ts';

const SEED = 20_250_901;
const RUNS = 20_000;
const check = (property: fc.IProperty<[string]>) =>
  fc.assert(property, { seed: SEED, numRuns: RUNS });
const expectNoCard = (texts: fc.Arbitrary<string>) =>
  check(fc.property(texts, (text) => !hasRawCard(text) && findRawCard({ text }) === undefined));

const digits = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`));
const uuidAt = (millis: number, randomDigits: string) => {
  const time = millis.toString(16).padStart(12, '0');
  const [a, b, c] = [randomDigits.slice(0, 3), randomDigits.slice(3, 6), randomDigits.slice(6)];
  return `${time.slice(0, 8)}-${time.slice(8)}-7${a}-8${b}-${c}`;
};
const ean13 = (digitsText: string) => {
  const sum = [...digitsText].reduce(
    (total, digit, i) => total + Number(digit) * (i % 2 ? 3 : 1),
    0,
  );
  return digitsText + ((10 - (sum % 10)) % 10);
};

describe('#22 no false alarm on', () => {
  test('random UUIDs', () => expectNoCard(fc.uuid({ version: 4 })));
  test('UUIDs by time', () =>
    expectNoCard(
      fc
        .tuple(fc.integer({ min: 1_600_000_000_000, max: 2_000_000_000_000 }), digits(18))
        .map(([millis, randomDigits]) => uuidAt(millis, randomDigits)),
    ));
  test('microseconds since 1970', () =>
    expectNoCard(
      fc.integer({ min: 1_000_000_000_000_000, max: 1_999_999_999_999_999 }).map(String),
    ));
  test('EAN-13 article numbers', () => expectNoCard(digits(12).map(ean13)));
  test('SHA-256 in hex', () =>
    expectNoCard(fc.string().map((text) => createHash('sha256').update(text).digest('hex'))));
  test('phone numbers, joined and spaced', () =>
    expectNoCard(
      fc
        .tuple(
          fc.constantFrom('+49 ', '0049 ', '+1-', '+', '(0) '),
          fc.constantFrom('', ' ', '-'),
          digits(10),
        )
        .map(
          ([prefix, separator, subscriberNumber]) =>
            prefix +
            [
              subscriberNumber.slice(0, 3),
              subscriberNumber.slice(3, 6),
              subscriberNumber.slice(6),
            ].join(separator),
        ),
    ));
});

test('#22 a few order numbers that look like cards are the only valid values refused', () => {
  const corpus: Readonly<Record<string, fc.Arbitrary<string>>> = {
    UUIDv4: fc.uuid({ version: 4 }),
    UUIDv7: fc.uuid({ version: 7 }),
    microseconds: fc
      .integer({ min: 1_600_000_000_000_000, max: 1_999_999_999_999_999 })
      .map(String),
    'EAN-13': digits(12).map(ean13),
    'SHA-256 in hex': fc.string().map((text) => createHash('sha256').update(text).digest('hex')),
    'German phone numbers': fc
      .tuple(
        fc.constantFrom('+49 ', '0049', '0', '(0)'),
        fc.constantFrom('151', '160', '171', '30', '89'),
        digits(8),
      )
      .map(([prefix, area, subscriberNumber]) => `${prefix}${area} ${subscriberNumber}`),
    'order numbers of 12 digits': digits(12),
    'order numbers of 16 digits': digits(16),
  };
  const rates = Object.entries(corpus).map(([name, values]): [string, number] => {
    const samples = fc.sample(values, { numRuns: RUNS, seed: SEED });
    return [name, samples.filter(hasRawCard).length / samples.length];
  });
  const lines = rates.map(([name, rate]) => `  ${name}: ${(rate * 100).toFixed(2)} %`);
  console.log([`false alarms of ${RUNS} each:`, ...lines].join('\n'));
  const ratesAboveZero = rates.filter(([, rate]) => rate > 0);
  expect(ratesAboveZero.map(([name]) => name)).toEqual(['order numbers of 16 digits']);
  expect(ratesAboveZero[0]?.[1]).toBeLessThan(0.05);
});

const asFullWidth = (text: string) =>
  text.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)));
const asArabic = (text: string) =>
  text.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)));
const groupByFour = (text: string, separator: string) =>
  text.replace(/\d{4}(?=\d)/g, `$&${separator}`);
const spellings: readonly [string, (number: string) => string][] = [
  ['plain', (number) => number],
  ['spaced', (number) => groupByFour(number, ' ')],
  ['dashed', (number) => groupByFour(number, '-')],
  ['dotted', (number) => groupByFour(number, '.')],
  ['wide gaps', (number) => groupByFour(number, ' - ')],
  ['over lines', (number) => groupByFour(number, '\r\n')],
  ['no-break spaces', (number) => groupByFour(number, '\u00a0')],
  ['en dashes', (number) => groupByFour(number, '\u2013')],
  ['zero-width spaces', (number) => groupByFour(number, '\u200b')],
  ['full-width digits', asFullWidth],
  ['Arabic digits', asArabic],
  ['before an expiry and a security code', (number) => `${number} 12/30 123`],
  ['before digits of its own', (number) => `${number} 1230 123`],
  ['after an order number', (number) => `order 77 ${number}`],
  ['at the end of a sentence', (number) => `Charge ${number}.`],
];

describe.each(spellings)('every sandbox card is found %s', (_, spelling) => {
  test.each(sandboxCards)('$token', ({ number }) => {
    expect(hasRawCard(spelling(number))).toBe(true);
    expect(findRawCard({ data: [{ note: spelling(number) }] })).toEqual({
      pointer: '/data/0/note',
    });
  });
});

const visa = '4005519200000004';

test.each([
  ['an order number that fails the check digit', '4005519200000005'],
  ['an order number of no network', '1234567890123452'],
  ['a number that touches a letter', `x${visa}`],
  ['a number that touches an underscore', `pan_${visa}`],
  ['a number inside a longer run', `${visa}9`],
  ['digits too far apart', groupByFour(visa, '    ')],
])('%s passes', (_, text) => {
  expect(hasRawCard(text)).toBe(false);
  expect(findRawCard({ idempotency_key: text })).toBeUndefined();
});

test.each([
  ['a number as JSON number', { data: { amount: 4005519200000004 } }, '/data/amount'],
  ['a nineteen-digit JSON number', JSON.parse('{"a":4444333322221111455}'), '/a'],
  ['a key that is the number: the pointer stops before it', { meta: { [visa]: 1 } }, '/meta'],
  ['a bare string', visa, ''],
  ['keys that need escaping', { 'a/b': { 'm~n': visa } }, '/a~1b/m~0n'],
  ['a name at depth, in capitals', { data: [{}, { x: { CVV: '' } }] }, '/data/1/x/CVV'],
  ['a name without a value', { card_number: null }, '/card_number'],
])('the pointer of %s', (_, body, pointer) => {
  expect(findRawCard(body)).toEqual({ pointer });
});

test.each([0, 2499, -1, 1.5, 1e300, 1_756_742_400_123_456, true, null, undefined, '', [], {}])(
  '%j holds no card',
  (value) => expect(findRawCard(value)).toBeUndefined(),
);

test.each([
  'pan',
  'PIN',
  'cid',
  'cvv',
  'cvv2',
  'CVC',
  'cardNumber',
  'card-number',
  'security_code',
  'track2',
])('%s is a forbidden name', (name) => expect(isForbiddenName(name)).toBe(true));

test.each([
  'card_pan_token',
  'card_cvv_token',
  'cvc2_check',
  'pine',
  'spanner',
  'card_bin',
  'tracking',
])('%s is not', (name) => expect(isForbiddenName(name)).toBe(false));

test.each([
  ['plain', `filter[last]=${visa}`, 'filter[last]'],
  ['percent-encoded', 'a=1&b=4005%205192%200000%200004', 'b'],
  ['form-encoded', 'q=4005+5192+0000+0004', 'q'],
  ['under a forbidden name', 'filter%5Bcvv%5D=', 'filter[cvv]'],
  ['as the name of a parameter', `${visa}=1`, ''],
  ['after an unreadable escape', `q=%zz ${visa}`, 'q'],
])('a query with a card %s is refused by its parameter', (_, query, parameter) => {
  expect(findRawCardInQuery(query)).toEqual({ parameter });
});

test('an honest query passes', () => {
  expect(
    findRawCardInQuery('filter[amount_cents][gt]=1000&page[size]=5&include=payer'),
  ).toBeUndefined();
});

test('nesting has no depth at which a number is missed', () => {
  const deep = JSON.parse(`${'['.repeat(50_000)}"${visa}"${']'.repeat(50_000)}`);
  expect(findRawCard(deep)?.pointer).toHaveLength(100_000);
});

test.each(sandboxCards)(
  'a line keeps the first six and last four digits of $token',
  ({ number }) => {
    const stars = '*'.repeat(number.length - 10);
    expect(maskCards(`{"msg":"x${number}"}`)).toBe(
      `{"msg":"x${number.slice(0, 6)}${stars}${number.slice(-4)}"}`,
    );
  },
);

test.each([
  [
    'grouped numbers keep their separators',
    '4005-5192-0000-0004, 370000 000000 002',
    '4005-51**-****-0004, 370000 *****0 002',
  ],
  ['a number may touch letters', 'card_4005519200000004_x', 'card_400551******0004_x'],
  ['ids and times stay', 'id 0190f3c2-7b4e-7abc-8def-0123456789ab at 1756742400123456', undefined],
  ['a line without a number stays as it is', 'Zürich: ｎｏ card', undefined],
])('%s', (_, line, expected) => {
  expect(maskCards(line)).toBe(expected ?? line);
});

test('no token of a wallet has a card number, whatever its base64 contains', () => {
  const tokens = Array.from({ length: 2_000 }, () => {
    const text = () => randomBytes(300).toString('base64');
    return JSON.stringify({ signature: text(), signedMessage: JSON.stringify({ tag: text() }) });
  });
  expect(tokens.filter(hasRawCard)).toEqual([]);
});
