import { type CardField, type CardFields, cardFields } from '@florin/contract/protocol/vault.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cardValueOf } from './card-value.ts';
import { fillBody } from './fill.ts';
import type { CardSecrets } from './secrets.ts';

const SEED = 20_261_121;
const secrets = { pan: '4242424242424242', cvv: '987', expiry_month: '05', expiry_year: '2030' };
const { cvv: _, ...secretsWithoutCvv } = secrets;

const fillCard = (body: unknown, fields: CardFields, card: CardSecrets): unknown =>
  fillBody(
    body,
    Object.entries(fields).map(([pointer, field]) => ({
      pointer,
      name: field,
      value: cardValueOf(field, card),
    })),
  );

test('the card is at its pointers, and nowhere else', () => {
  const body = { n: null, other: null, card: { month: null, 'a/b~c': null }, list: [null] };
  const fields = { '/n': 'pan', '/card/month': 'expiry_month', '/card/a~1b~0c': 'cvv' } as const;
  const originalBody = structuredClone(body);
  expect(fillCard(body, fields, secrets)).toEqual({
    n: secrets.pan,
    other: null,
    card: { month: '05', 'a/b~c': '987' },
    list: [null],
  });
  expect(body).toEqual(originalBody);
});

test('a member without a value is omitted', () => {
  const filledBody = fillCard({ a: 1, cvv: null }, { '/cvv': 'cvv' }, secretsWithoutCvv);
  expect(JSON.stringify(filledBody)).toBe('{"a":1}');
});

test.each([
  ['that is not there', { a: 1 }, '/n'],
  ['that is inherited', {}, '/constructor'],
  ['that holds something', { n: 'x' }, '/n'],
  ['of a text', { n: 'x' }, '/n/length'],
  ['of a list', { n: [null] }, '/n/0'],
])(
  'a member %s is not filled, and the refusal names the placeholder only',
  (_name, body, pointer) => {
    expect(() => fillCard(body, { [pointer]: 'pan' }, secrets)).toThrow(
      expect.objectContaining({
        why: 'body_unusable',
        detail: `The placeholder pan at ${pointer} is not a null member of the body.`,
      }),
    );
  },
);

test.each<[CardField, unknown]>([
  ['expiry_month', '05'],
  ['expiry_year', '2030'],
  ['expiry_month_number', 5],
  ['expiry_year_number', 2030],
  ['expiry_year_short', '30'],
  ['expiry_mmyy', '0530'],
  ['expiry_yymm', '3005'],
  ['expiry_mmyyyy', '052030'],
  ['expiry_yyyymm', '203005'],
  ['expiry_mm_slash_yy', '05/30'],
  ['expiry_yyyy_dash_mm', '2030-05'],
  ['cryptogram', undefined],
])('%s is filled in as %j, and omitted without a card', (field, expected) => {
  const fields = { '/value': field };
  expect(fillCard({ value: null }, fields, secrets)).toEqual({ value: expected });
  expect(fillCard({ value: null }, fields, {})).toEqual({ value: undefined });
});

test('no value of a body is replaced by the card: it is sent unchanged', () => {
  const cardLikeTexts = fc.constantFrom(...cardFields, '{{card.pan}}', '/pan', '$.card.pan');
  const arbitraryValues = fc.jsonValue({
    maxDepth: 8,
    stringUnit: fc.oneof(cardLikeTexts, fc.string()),
  });
  fc.assert(
    fc.property(arbitraryValues, (values) => {
      const filledBody = fillCard({ pan: null, values }, { '/pan': 'pan' }, secrets);
      expect(JSON.stringify(filledBody)).toBe(JSON.stringify({ pan: secrets.pan, values }));
    }),
    { seed: SEED },
  );
});
