import { sandboxCards } from '@florin/contract/card/sandbox-cards.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dropCards, guardLine } from './log-guard.ts';

const RUNS = 20_000;
/** Digits that may remain when the first sixteen digits of a longer number are also a card number. */
const LEFT_MAX = 3;
const digits = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`));

describe('a log line without any sandbox card', () => {
  test.each(sandboxCards)('$token', ({ number }) => {
    for (const value of [
      number,
      `card ${number}.`,
      `pan_${number}_x`,
      number.replace(/(\d{4})/g, '$1 '),
    ]) {
      const line = guardLine(JSON.stringify({ event: 'x', detail: value, list: [{ at: value }] }));
      expect(line.replace(/\D/g, '').length).toBeLessThanOrEqual(2 * LEFT_MAX);
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
  const ean13 = (twelve: string) => {
    const sum = [...twelve].reduce((total, digit, i) => total + Number(digit) * (i % 2 ? 3 : 1), 0);
    return twelve + ((10 - (sum % 10)) % 10);
  };
  const uuidOfDigits = digits(32).map((text) =>
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
      fc.tuple(fc.constantFrom('+49 ', '0049', '+1-'), digits(10)).map((parts) => parts.join('')),
    ],
    ['EAN-13 article numbers', digits(12).map(ean13)],
    ['order numbers of up to 13 digits', fc.integer({ min: 1, max: 13 }).chain(digits)],
    [
      'order numbers of a shop',
      fc.tuple(fc.constantFrom('order-', 'R', '2026-'), digits(8)).map((parts) => parts.join('')),
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
    const sample = fc.sample(digits(16), RUNS);
    const alarms = sample.filter((text) => dropCards(text) !== text).length / RUNS;
    console.log(`${(100 * alarms).toFixed(2)} % of random 16-digit numbers look like cards`);
    expect(alarms).toBeLessThan(0.1);
  });
});
