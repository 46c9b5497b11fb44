import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** Parameters of scrypt besides its cost. */
const PARAMETERS = { r: 16, p: 1, maxmem: 64 * 1024 * 1024 } as const;
const KEY_BYTES = 64;

const deriveKey = (password: string, salt: string, N: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, { ...PARAMETERS, N }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });

/** Hash of a password for storage: `<salt>:<key>`, both hex. `cost` is `Config.password_cost`. */
export async function hashPassword(password: string, cost: number): Promise<string> {
  const salt = randomBytes(16).toString('hex');
  return `${salt}:${(await deriveKey(password, salt, cost)).toString('hex')}`;
}

/** Whether the password has this hash, which was made with the same cost. */
export async function passwordMatches(
  password: string,
  hash: string,
  cost: number,
): Promise<boolean> {
  const [salt = '', key = ''] = hash.split(':');
  const storedKey = Buffer.from(key, 'hex');
  return (
    storedKey.length === KEY_BYTES &&
    timingSafeEqual(await deriveKey(password, salt, cost), storedKey)
  );
}
