import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { configFromEnv } from '../../../src/config/env.ts';

/** The attacker has an account on the server's machine, and reads or replaces what permissions allow. */
const FLORIN_DATA = mkdtempSync(join(tmpdir(), 'exposed-'));
const KEY = join(FLORIN_DATA, 'secrets.key');
writeFileSync(KEY, `${Buffer.alloc(32).toString('base64')}\n`);
afterAll(() => rmSync(FLORIN_DATA, { recursive: true }));

const start = () =>
  createApp(
    configFromEnv({
      FLORIN_ENV: 'production',
      FLORIN_DATA,
      PORT: '0',
      DATABASE_URL: 'postgresql://florin_server@127.0.0.1:1/florin',
      VAULT_SOCKET: join(FLORIN_DATA, 'vault.sock'),
    }),
  );

it.each([
  [0o644, 0o700, `Every user may use the key file ${KEY}.`],
  [0o640, 0o700, `The group of the key file ${KEY} may use it.`],
  [0o600, 0o777, `Other users may replace files in the directory ${FLORIN_DATA}`],
])(
  'the server of production does not start with a key of %i in a directory of %i, before it reads its database',
  async (mode, directoryMode, problem) => {
    chmodSync(KEY, mode);
    chmodSync(FLORIN_DATA, directoryMode);
    await expect(start()).rejects.toThrow(problem);
  },
);

it('the server of production starts with a private key, as far as its database lets it', async () => {
  chmodSync(KEY, 0o600);
  chmodSync(FLORIN_DATA, 0o700);
  await expect(start()).rejects.toThrow('ECONNREFUSED');
});
