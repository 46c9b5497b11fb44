import { describe, expect, it } from 'vitest';
import { hasDemoShop } from './config.ts';
import { configFromEnv } from './env.ts';

const needed = {
  DATABASE_URL: 'postgres://localhost/florin',
  FLORIN_DATA: '/srv/florin',
  VAULT_SOCKET: '/run/vault.sock',
  SIMULATOR_URL: 'http://localhost:4001',
};
const read = (env: NodeJS.ProcessEnv) => configFromEnv({ ...needed, ...env });

describe('the addresses', () => {
  it('are of this machine where nothing is said', () => {
    expect(read({})).toMatchObject({
      public_url: 'http://localhost:4000',
      pay_url: 'http://pay.localhost:4000',
    });
  });

  it.each([
    ['the same', 'https://pay.example.com', 'https://pay.example.com/'],
    ['the same host at another port', 'http://shop.example:4000', 'http://shop.example:5000'],
  ])('of the form and the interface may not be %s', (_, FLORIN_PUBLIC_URL, FLORIN_PAY_URL) => {
    expect(() => read({ FLORIN_PUBLIC_URL, FLORIN_PAY_URL })).toThrow(
      /^FLORIN_PAY_URL must have another host name than FLORIN_PUBLIC_URL\.$/,
    );
  });
});

describe('the demo shop', () => {
  it.each([
    [undefined, undefined, true],
    ['http://127.0.0.1:4000', undefined, true],
    ['https://api.example.com', undefined, false],
    ['https://localhost.example.com', undefined, false],
    ['https://api.example.com', 'true', true],
    ['http://localhost:4000', 'false', false],
  ])('at %s with FLORIN_DEMO_SHOP=%s: %s', (FLORIN_PUBLIC_URL, FLORIN_DEMO_SHOP, served) => {
    expect(hasDemoShop(read({ FLORIN_PUBLIC_URL, FLORIN_DEMO_SHOP }))).toBe(served);
  });

  it('is switched with true and false only', () => {
    expect(() => read({ FLORIN_DEMO_SHOP: 'maybe' })).toThrow(/^FLORIN_DEMO_SHOP must be/);
  });
});
