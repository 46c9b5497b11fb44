import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scrub } from './scrub.ts';

const SEED = 20_250_902;

test('nothing that is kept has more than ten digits in a row', () => {
  const digits = fc.stringMatching(/^[0-9a-c ]{0,40}$/);
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), digits, (json, text) => {
      expect(JSON.stringify(scrub([json, text])) ?? '').not.toMatch(/\d{11}/);
    }),
    { seed: SEED, numRuns: 2_000 },
  );
});

test('what is short stays as it is', () => {
  const body = { result: 'approved', code: '00', amount: 2499, flags: [true, null], id: 'A1B2C3' };
  expect(scrub(body)).toEqual(body);
});
