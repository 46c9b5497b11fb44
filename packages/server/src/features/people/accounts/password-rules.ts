import { problem } from '@florin/contract/errors.ts';
import {
  PASSWORD_MAX,
  PASSWORD_MIN,
  type PasswordError,
  passwordError,
} from '@florin/contract/passwords.ts';
import { isGuessable } from './password-strength.ts';

const details: Readonly<Record<PasswordError, string>> = {
  too_short: `A password must have at least ${PASSWORD_MIN} characters.`,
  too_long: `A password must have at most ${PASSWORD_MAX} characters.`,
  password_too_common:
    'This password is easy to guess. Choose another one, such as four unrelated words.',
};

/** Throws 422 if a new password violates the rules. */
export function requireValidPassword(password: string, email: string): void {
  const flaw =
    passwordError(password, email) ??
    (isGuessable(password, email) ? 'password_too_common' : undefined);
  if (flaw) throw problem(flaw, details[flaw], { pointer: '/password' });
}
