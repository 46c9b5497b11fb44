import { sandboxCards } from '@florin/contract/card/sandbox-cards.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dropCards, guardLine } from './log-guard.ts';

const RUNS = 20_000;
/** Digits that may remain when the first sixteen digits of a longer number are also a card number. */
const REMAINING_DIGITS_MAX = 3;
const digitsOf = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`));

describe('a log line without any sandbox card', () => {
  test.each(sandboxCards)('$token', ({ number }) => {
    for (const value of [
      number,
      `card ${number}.`,
      `pan_${number}_x`,
      number.replace(/(\d{4})/g, '$1 '),
    ]) {
      const line = guardLine(JSON.stringify({ event: 'x', detail: value, list: [{ at: value }] }));
      expect(line.replace(/\D/g, '').length).toBeLessThanOrEqual(2 * REMAINING_DIGITS_MAX);
      expect(line).toContain('[dropped]');
    }
    expect(guardLine(`{"n":${number}}`)).not.toContain(number.slice(6, -4));
  });
});

test.each([
  'pan',
  'cvv',
  'CVC2',
  'card_number',
  'pan_jwe',
  'wrapped_dek',
  'dek',
  'private_key',
  'pin',
  'body',
])('a line loses its member %s, with any content at any depth', (name) => {
  const line = guardLine(JSON.stringify({ event: 'x', a: [{ [name]: 'secret', kept: 1 }] }));
  expect(JSON.parse(line)).toEqual({ event: 'x', a: [{ kept: 1 }] });
});

test('a line that is not JSON is dropped', () => {
  expect(guardLine('panic at 4005519200000004')).toBe('{"event":"line_dropped"}\n');
});

test('an ordinary line is unchanged', () => {
  const line = `{"level":30,"time":"2026-11-21T12:00:00.123Z","name":"vault","event":"card_ingested","merchant_id":"01935f00-0000-7000-8000-00000000b0b0","mode":"live"}\n`;
  expect(guardLine(line)).toBe(line);
});

describe('no false alarm', () => {
  const toEan13 = (articleDigits: string) => {
    const sum = [...articleDigits].reduce(
      (total, digit, i) => total + Number(digit) * (i % 2 ? 3 : 1),
      0,
    );
    return articleDigits + ((10 - (sum % 10)) % 10);
  };
  const uuidOfDigits = digitsOf(32).map((text) =>
    [
      text.slice(0, 8),
      text.slice(8, 12),
      text.slice(12, 16),
      text.slice(16, 20),
      text.slice(20),
    ].join('-'),
  );
  test.each<[string, fc.Arbitrary<string>]>([
    ['UUIDs', fc.uuid()],
    ['UUIDs of digits alone', uuidOfDigits],
    [
      'times',
      fc
        .date({ noInvalidDate: true, min: new Date(0), max: new Date('2099-12-31') })
        .map((date) => date.toISOString()),
    ],
    [
      'phone numbers',
      fc
        .tuple(fc.constantFrom('+49 ', '0049', '+1-'), digitsOf(10))
        .map((fragments) => fragments.join('')),
    ],
    ['EAN-13 article numbers', digitsOf(12).map(toEan13)],
    ['order numbers of up to 13 digits', fc.integer({ min: 1, max: 13 }).chain(digitsOf)],
    [
      'order numbers of a shop',
      fc
        .tuple(fc.constantFrom('order-', 'R', '2026-'), digitsOf(8))
        .map((fragments) => fragments.join('')),
    ],
    ['milliseconds', fc.integer({ min: 1_000_000_000_000, max: 1_999_999_999_999 }).map(String)],
    [
      'microseconds',
      fc.integer({ min: 1_000_000_000_000_000, max: 1_999_999_999_999_999 }).map(String),
    ],
  ])('on %s', (_name, texts) => {
    const property = fc.property(texts, (text) => dropCards(text) === text);
    fc.assert(property, { numRuns: RUNS });
  });

  test('except for a few of a hundred numbers of sixteen digits by chance', () => {
    const sampleNumbers = fc.sample(digitsOf(16), RUNS);
    const falseAlarmRate = sampleNumbers.filter((text) => dropCards(text) !== text).length / RUNS;
    console.log(
      `${(100 * falseAlarmRate).toFixed(2)} % of random 16-digit numbers look like cards`,
    );
    expect(falseAlarmRate).toBeLessThan(0.1);
  });
});
