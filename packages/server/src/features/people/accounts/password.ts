import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** Cost of scrypt, as OWASP recommends: about 30 ms and 32 MiB. */
const COST = { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 } as const;
const KEY_BYTES = 64;

const derive = (password: string, salt: string): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, COST, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });

/** Hash of a password for storage: `<salt>:<key>`, both hex. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16).toString('hex');
  return `${salt}:${(await derive(password, salt)).toString('hex')}`;
}

export async function passwordMatches(password: string, stored: string): Promise<boolean> {
  const [salt = '', key = ''] = stored.split(':');
  const expected = Buffer.from(key, 'hex');
  return expected.length === KEY_BYTES && timingSafeEqual(await derive(password, salt), expected);
}
