import { expect, it } from 'vitest';
import { lackingIn, nextStep } from './application.ts';

it.each([
  [['business_website', 'banks'], 'business'],
  [['tax_id_type', 'owners'], 'legal'],
  [['owners'], 'people'],
  [['banks'], 'bank'],
  [[], 'submit'],
])('where %j is missing it goes on with %s', (missing, step) => {
  expect(nextStep({ missing })).toBe(step);
});

it('the last step lacks whatever is missing', () => {
  expect(lackingIn('submit', { missing: ['banks', 'owners'] })).toEqual(['banks', 'owners']);
});
