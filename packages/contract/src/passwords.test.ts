import { expect, it } from 'vitest';
import { PASSWORD_MAX, passwordError } from './passwords.ts';

const EMAIL = 'ada.lovelace@example.com';

it.each([
  ['eleven long', 'too_short'],
  ['twelve chars', undefined],
  ['𝟙𝟚𝟛𝟜𝟝𝟞𝟟𝟠𝟡𝟘𝟙', 'too_short'],
  ['x1'.repeat(PASSWORD_MAX), 'too_long'],
  ['aaaaaaaaaaaaaa', 'password_too_common'],
  ['abcabcabcabc', 'password_too_common'],
  ['Ada.Lovelace@example.com', 'password_too_common'],
  ['ada.lovelace1', 'password_too_common'],
  ['a mill and a store', undefined],
])('%j is refused as %s', (password, flaw) => {
  expect(passwordError(password, EMAIL)).toBe(flaw);
});
