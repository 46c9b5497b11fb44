import { withClient } from '@florin/cli/database/client.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Stack, startStack } from '../src/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack[Symbol.asyncDispose]());

const readStatus = () => fetch(`${stack.baseUrl}/readyz`).then((response) => response.status);

const trySelect = (url: string, table: string) =>
  withClient(url, (client) => client.query(`select from ${table}`)).then(
    () => 'allowed',
    (error: Error) => error.message,
  );

describe('a stack', () => {
  it('serves, and serves again after each part was restarted', async () => {
    expect(await readStatus()).toBe(200);
    for (const part of ['simulator', 'vault', 'server'] as const) await stack.restart(part);
    expect(await readStatus()).toBe(200);
  });

  it.each([
    ['the server', 'own', 'serverDatabaseUrl', 'merchants', 'allowed'],
    [
      'the server',
      "the vault's",
      'serverDatabaseUrl',
      'vault.migrations',
      /denied for schema vault/,
    ],
    ['the vault', 'own', 'vaultDatabaseUrl', 'vault.migrations', 'allowed'],
    [
      'the vault',
      "the server's",
      'vaultDatabaseUrl',
      'public.merchants',
      /denied for schema public/,
    ],
  ] as const)('lets %s read %s tables or not', async (_who, _whose, url, table, answer) => {
    expect(await trySelect(stack[url], table)).toMatch(answer);
  });
});
