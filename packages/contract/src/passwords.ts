export const PASSWORD_MIN = 12;
export const PASSWORD_MAX = 128;

/** Long passwords that attackers try first. */
const common: ReadonlySet<string> = new Set([
  '123456789012',
  '1234567890123',
  '12345678901234',
  '123456789012345',
  '1234567890123456',
  '0123456789012',
  '012345678910',
  '123123123123',
  '123456123456',
  '1q2w3e4r5t6y',
  '1qaz2wsx3edc',
  '1qaz2wsx3edc4rfv',
  'administrator',
  'administrator1',
  'adminadminadmin',
  'changemechangeme',
  'correcthorsebatterystaple',
  'football1234',
  'iloveyou1234',
  'iloveyouiloveyou',
  'letmeinletmein',
  'mypassword123',
  'password1234',
  'password12345',
  'password123456',
  'passw0rd1234',
  'passwordpassword',
  'p@ssw0rd1234',
  'qwerty123456',
  'qwertyqwerty',
  'qwertyuiop12',
  'qwertyuiop123',
  'qwertyuiopas',
  'qwertyuiopasdfghjkl',
  'welcome12345',
  'zaq12wsxcde3',
]);

export type PasswordError = 'too_short' | 'too_long' | 'password_too_common';

/** Why a new password is refused. Undefined if accepted. */
export function passwordError(password: string, email: string): PasswordError | undefined {
  if ([...password].length < PASSWORD_MIN) return 'too_short';
  if (password.length > PASSWORD_MAX) return 'too_long';
  return isEasy(password.toLowerCase(), email.toLowerCase()) ? 'password_too_common' : undefined;
}

const isEasy = (password: string, email: string): boolean =>
  common.has(password) ||
  password === email ||
  password.replace(/\d{1,4}$/, '') === email.split('@')[0] ||
  /^(.{1,3})\1+$/u.test(password);
