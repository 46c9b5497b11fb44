import { expect, it } from 'vitest';
import { lackingIn, nextStep } from './application.ts';

it.each([
  [['business_website', 'banks'], 'business'],
  [['tax_id_type', 'owners'], 'legal'],
  [['owners'], 'people'],
  [['banks'], 'bank'],
  [[], 'submit'],
])('with %j missing it continues at %s', (missing, step) => {
  expect(nextStep({ missing })).toBe(step);
});

it('the last step lists everything that is missing', () => {
  expect(lackingIn('submit', { missing: ['banks', 'owners'] })).toEqual(['banks', 'owners']);
});
