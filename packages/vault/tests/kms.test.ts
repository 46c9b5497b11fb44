import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createFileKms } from '../src/keys/kms/file-kms.ts';
import { openKms } from '../src/keys/kms/open-kms.ts';
import { testKmsConformance } from './support/kms-conformance.ts';
import { findSoftHsm } from './support/softhsm.ts';

const tempDir = mkdtempSync(join(tmpdir(), 'vault-kms-'));
afterAll(() => rmSync(tempDir, { recursive: true }));

testKmsConformance('file', async () => createFileKms(join(tempDir, 'keys')));

describe('a root key that is a file', () => {
  const directory = join(tempDir, 'own');
  const kms = createFileKms(directory);

  test('is readable by its owner only, and no draft remains', async () => {
    await Promise.all([kms.createVersion(1), kms.createVersion(1), kms.createVersion(2)]);
    expect(readdirSync(directory).sort()).toEqual(['root-2.key', 'root.key']);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(statSync(join(directory, 'root-2.key')).mode & 0o777).toBe(0o600);
  });

  test('is random, and created once', () => {
    const [firstKey, secondKey] = ['root.key', 'root-2.key'].map((name) =>
      readFileSync(join(directory, name)),
    );
    expect(firstKey).toHaveLength(32);
    expect(firstKey).not.toEqual(secondKey);
  });
});

const hsm = await findSoftHsm(tempDir);
if ('missing' in hsm) {
  const warning = `PKCS#11 was NOT tested here: ${hsm.missing} is missing.`;
  console.warn(warning);
  test.skip(warning, () => {});
} else {
  testKmsConformance('pkcs11', () => openKms(hsm, tempDir));

  describe('the pkcs11 provider', () => {
    test.each<[string, object, RegExp]>([
      ['a wrong PIN', { pin: '000000' }, /refuses the PIN in VAULT_PKCS11_PIN_FILE/],
      ['a token that is not there', { token: 'none' }, /no token labelled "none"/],
      [
        'no library',
        { module: '/nowhere.so' },
        /^The library \/nowhere\.so .* Correct its path\.$/,
      ],
      ['no package', { client: 'no-such-package' }, /the package no-such-package is not installed/],
    ])('with %s fails in one plain sentence', async (_name, change, message) => {
      await expect(openKms({ ...hsm, ...change }, tempDir)).rejects.toThrow(message);
    });
  });
}
