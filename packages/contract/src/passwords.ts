export const PASSWORD_MIN = 12;
export const PASSWORD_MAX = 128;

export type PasswordError = 'too_short' | 'too_long' | 'password_too_common';

/**
 * Reason to refuse a new password, as far as a browser can tell; undefined if there is none. The server also knows
 * breached passwords.
 */
export function passwordError(password: string, email: string): PasswordError | undefined {
  if ([...password].length < PASSWORD_MIN) return 'too_short';
  if (password.length > PASSWORD_MAX) return 'too_long';
  return isEasy(password.toLowerCase(), email.toLowerCase()) ? 'password_too_common' : undefined;
}

const isEasy = (password: string, email: string): boolean =>
  password === email ||
  password.replace(/\d{1,4}$/, '') === email.split('@')[0] ||
  /^(.{1,3})\1+$/u.test(password);
