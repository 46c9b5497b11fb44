import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../tests/support.ts';
import { gapsOf } from './gaps.ts';
import { readFacts } from './read-facts.ts';

/** A data directory with a key, as its owner leaves it. */
function makeKey(name: string): { readonly FLORIN_DATA: string; readonly path: string } {
  const FLORIN_DATA = temporaryDirectory();
  const path = join(FLORIN_DATA, name);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, 'key', { mode: 0o600 });
  return { FLORIN_DATA, path };
}

describe.each([
  ['server', 'secrets.key'],
  ['vault', 'vault/root.key'],
  ['vault', 'vault/root-2.key'],
] as const)('of the %s, the key %s', (part, name) => {
  const faultsOf = async (FLORIN_DATA: string) =>
    (await readFacts(part, { FLORIN_DATA })).key_faults.map(({ problem }) => problem);

  it.each(['600', '400'])('is private with the permissions %s', async (mode) => {
    const { FLORIN_DATA, path } = makeKey(name);
    chmodSync(path, Number.parseInt(mode, 8));
    expect(await faultsOf(FLORIN_DATA)).toEqual([]);
  });

  it.each([
    ['640', 'The group of the key file PATH may use it.'],
    ['620', 'The group of the key file PATH may use it.'],
    ['604', 'Every user may use the key file PATH.'],
    ['602', 'Every user may use the key file PATH.'],
  ])('is not with %s', async (mode, problem) => {
    const { FLORIN_DATA, path } = makeKey(name);
    chmodSync(path, Number.parseInt(mode, 8));
    expect(await faultsOf(FLORIN_DATA)).toEqual([problem.replace('PATH', path)]);
  });

  it.runIf(process.getuid?.() === 0)('is not if another user owns it', async () => {
    const { FLORIN_DATA, path } = makeKey(name);
    chownSync(path, 64_101, 64_100);
    expect(await faultsOf(FLORIN_DATA)).toEqual([
      `The key file ${path} belongs to another user (64101).`,
    ]);
  });

  it.each(['770', '707'])('can be replaced in a directory with %s', async (mode) => {
    const { FLORIN_DATA, path } = makeKey(name);
    chmodSync(dirname(path), Number.parseInt(mode, 8));
    expect(await faultsOf(FLORIN_DATA)).toEqual([
      `Other users may replace files in the directory ${dirname(path)} of a key file.`,
    ]);
  });

  it('can be replaced behind a symbolic link to a directory of others', async () => {
    const { FLORIN_DATA, path } = makeKey(name);
    const elsewhere = temporaryDirectory();
    chmodSync(elsewhere, 0o777);
    writeFileSync(join(elsewhere, 'key'), 'key', { mode: 0o600 });
    rmSync(path);
    symlinkSync(join(elsewhere, 'key'), path);
    expect(await faultsOf(FLORIN_DATA)).toEqual([
      `Other users may replace files in the directory ${elsewhere} of a key file.`,
    ]);
  });
});

describe.each(['VAULT_PKCS11_PIN_FILE', 'VAULT_APPLE_PAY_KEY_FILE', 'VAULT_GOOGLE_PAY_KEY_FILE'])(
  'the file of %s',
  (name) => {
    it.each([
      ['600', []],
      ['440', []],
      ['644', [`Every user may use the file of ${name}.`]],
    ])('with the permissions %s has the faults %j', async (mode, problems) => {
      const { FLORIN_DATA, path } = makeKey('secret');
      chmodSync(path, Number.parseInt(mode, 8));
      const { key_faults } = await readFacts('vault', { FLORIN_DATA, [name]: path });
      expect(key_faults.map(({ problem }) => problem)).toEqual(problems);
    });
  },
);

it('a key in a variable needs no file', async () => {
  const { FLORIN_DATA, path } = makeKey('secrets.key');
  chmodSync(path, 0o644);
  const facts = await readFacts('server', { FLORIN_DATA, FLORIN_SECRETS_KEY: 'key' });
  expect(facts.key_faults).toEqual([]);
});

it('a directory without secrets.key is told apart', async () => {
  const FLORIN_DATA = temporaryDirectory();
  expect(await readFacts('server', { FLORIN_DATA })).toMatchObject({
    has_secrets_file: false,
    key_faults: [],
  });
  writeFileSync(join(FLORIN_DATA, 'secrets.key'), 'key', { mode: 0o600 });
  expect((await readFacts('server', { FLORIN_DATA })).has_secrets_file).toBe(true);
});

describe('a vault that runs as the user of the server', () => {
  const SAME_USER = 'The vault runs as the same user as the server, who can then read its keys.';
  async function problemsWith(name: 'VAULT_SOCKET' | 'FLORIN_VAULT_ADDRESSES', owner?: number) {
    const path = join(temporaryDirectory(), 'vault.sock');
    const vault = createServer().listen(path);
    await once(vault, 'listening');
    onTestFinished(() => void vault.close());
    if (owner !== undefined) chownSync(path, owner, owner);
    const env = { [name]: name === 'VAULT_SOCKET' ? path : `unix:${path}` };
    return gapsOf('server', await readFacts('server', env)).map(({ problem }) => problem);
  }

  it.each(['VAULT_SOCKET', 'FLORIN_VAULT_ADDRESSES'] as const)('is a gap in %s', async (name) => {
    expect(await problemsWith(name)).toContain(SAME_USER);
  });

  it.runIf(process.getuid?.() === 0)('is none with a user of its own', async () => {
    expect(await problemsWith('VAULT_SOCKET', 64_102)).not.toContain(SAME_USER);
  });
});
