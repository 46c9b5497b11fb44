import { ProblemError } from '@florin/contract/errors.ts';
import { expect, it } from 'vitest';
import { microsOf } from '../../platform/time/clock.ts';
import { AGE_MAX_YEARS, checkBirthDate, maskedNumber } from './identity.ts';

it.each([
  ['123-45-6789', '*******6789'],
  ['X1234567', '****4567'],
  ['12345', '*2345'],
  ['6789', '6789'],
  ['𝟙𝟚𝟛𝟜𝟝', '*𝟚𝟛𝟜𝟝'],
])('masked', (number, shown) => {
  expect(maskedNumber(number)).toBe(shown);
});

it.each([
  ['2026-11-20', 'yesterday', true],
  ['2026-11-21', 'today', false],
  ['2026-11-22', 'tomorrow', false],
  ['1896-11-22', `a day less than ${AGE_MAX_YEARS} years ago`, true],
  ['1896-11-21', `${AGE_MAX_YEARS} years ago`, false],
  ['0001-01-01', 'in the first year', false],
])('a birth date of %s, %s, is valid: %s', (dob, _when, isValid) => {
  const check = () => checkBirthDate(dob, microsOf('2026-11-21T23:59:59Z'));
  if (isValid) expect(check).not.toThrow();
  else expect(check).toThrow(ProblemError);
});

it('an error about a birth date does not repeat the date', () => {
  expect(() => checkBirthDate('1801-02-03', microsOf('2026-11-21T00:00:00Z'))).toThrow(
    /^invalid: dob/,
  );
});
