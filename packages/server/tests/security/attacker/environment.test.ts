import { unsafeVariables } from '@florin/contract/unsafe-variables.ts';
import { configFromEnv as vaultConfigFromEnv } from '@florin/vault/config/env.ts';
import { describe, expect, it } from 'vitest';
import { configFromEnv } from '../../../src/config/env.ts';

/** The attacker sets variables of a service, such as in a file that too many can write. */
const SERVER = {
  DATABASE_URL: 'postgresql://florin_server@localhost/florin',
  FLORIN_DATA: '/var/lib/florin',
  VAULT_SOCKET: '/run/florin/vault.sock',
  SIMULATOR_URL: 'http://127.0.0.1:4100',
};
const VAULT = {
  VAULT_DATABASE_URL: 'postgresql://florin_vault@localhost/florin',
  VAULT_DATA: '/var/lib/florin-vault',
  VAULT_SOCKET: '/run/florin/vault.sock',
};
const PRODUCTION = { FLORIN_ENV: 'production' };

describe.each(Object.keys(unsafeVariables))('%s', (name) => {
  it('keeps server and vault of production from starting, also without their supervisor', () => {
    const change = { ...PRODUCTION, [name]: '0' };
    const sentence = new RegExp(`^${name} is set, which .*\\. Remove it\\.$`);
    expect(() => configFromEnv({ ...SERVER, ...change })).toThrow(sentence);
    expect(() => vaultConfigFromEnv({ ...VAULT, ...change })).toThrow(sentence);
  });

  it('is allowed in development', () => {
    expect(configFromEnv({ ...SERVER, [name]: '1' }).environment).toBe('development');
    expect(vaultConfigFromEnv({ ...VAULT, [name]: '1' }).socketPath).toBe(VAULT.VAULT_SOCKET);
  });
});
