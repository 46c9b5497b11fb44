import { placeholders } from '@florin/contract/protocol/vault.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BODY_DEPTH_MAX, fillPlaceholders } from './fill.ts';

const SEED = 20_261_121;
const secrets = { pan: '4242424242424242', cvv: '987', expiry_month: '05', expiry_year: '2030' };
const { cvv: _, ...withoutCvv } = secrets;
const nested = (depth: number): unknown => (depth === 0 ? 'x' : [nested(depth - 1)]);

test.each<[string, unknown, unknown]>([
  ['a member', { n: placeholders.pan, m: placeholders.expiry_month }, { n: secrets.pan, m: '05' }],
  ['a list item', [placeholders.cvv, placeholders.expiry_year], ['987', '2030']],
  ['the whole body', placeholders.pan, secrets.pan],
  ['not a part of a string', { n: `x${placeholders.pan}` }, { n: `x${placeholders.pan}` }],
  ['not a name', { [placeholders.pan]: 1 }, { [placeholders.pan]: 1 }],
])('a placeholder is filled: %s', (_name, body, filled) => {
  expect(fillPlaceholders(body, secrets)).toEqual(filled);
});

test.each<[unknown, unknown]>([
  [{ a: 1, cvv: placeholders.cvv }, { a: 1 }],
  [[placeholders.cvv, 2], [2]],
  [placeholders.cvv, undefined],
])('a placeholder without a value falls away: %j', (body, filled) => {
  expect(fillPlaceholders(body, withoutCvv)).toStrictEqual(filled);
});

test('a body without placeholders comes out as it went in, and is never changed itself', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), (body) => {
      const before = JSON.stringify(body);
      expect(JSON.stringify(fillPlaceholders(body, secrets))).toBe(before);
      expect(JSON.stringify(body)).toBe(before);
    }),
    { seed: SEED },
  );
});

test('nesting is bounded', () => {
  expect(fillPlaceholders(nested(BODY_DEPTH_MAX), secrets)).toEqual(nested(BODY_DEPTH_MAX));
  expect(() => fillPlaceholders(nested(BODY_DEPTH_MAX + 1), secrets)).toThrow(RangeError);
});
