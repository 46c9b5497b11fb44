import { scryptSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { defaults } from '../../../config/config.ts';
import { hashPassword, passwordMatches } from './password.ts';

/** Parameters of scrypt that OWASP recommends. */
const PRODUCTION = { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 };

describe('the hash of a password', () => {
  it('has in production the cost that OWASP recommends', async () => {
    const [salt = '', key] = (await hashPassword('a mill', defaults.password_cost)).split(':');
    expect(salt).toMatch(/^[0-9a-f]{32}$/);
    expect(key).toBe(scryptSync('a mill', salt, 64, PRODUCTION).toString('hex'));
  });

  it('matches its password only, with its own cost only', async () => {
    const storedHash = await hashPassword('a mill', 1_024);
    expect(await passwordMatches('a mill', storedHash, 1_024)).toBe(true);
    expect(await passwordMatches('a mill ', storedHash, 1_024)).toBe(false);
    expect(await passwordMatches('a mill', storedHash, 2_048)).toBe(false);
    expect(await passwordMatches('a mill', '', 1_024)).toBe(false);
  });

  it('has another salt each time', async () => {
    expect(await hashPassword('a mill', 1_024)).not.toBe(await hashPassword('a mill', 1_024));
  });
});
