import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pkcs11Config } from '../../src/keys/kms/pkcs11-kms.ts';

const MODULES = [
  '/usr/lib/softhsm/libsofthsm2.so',
  '/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so',
  '/usr/lib/aarch64-linux-gnu/softhsm/libsofthsm2.so',
  '/opt/homebrew/lib/softhsm/libsofthsm2.so',
];
const PIN = '271828';

/** Directory in which `npm test` installs the native client. Florin does not depend on the client. */
export const CLIENT_DIRECTORY = join(
  import.meta.dirname,
  '../../../../node_modules/.cache/florin-soft-hsm',
);

/** Path of pkcs11js: FLORIN_TEST_PKCS11JS, or the copy that `npm test` installed. */
export const clientPath = (): string =>
  process.env.FLORIN_TEST_PKCS11JS ?? join(CLIENT_DIRECTORY, 'node_modules/pkcs11js/index.js');

/** Path of SoftHSM's library; undefined if not installed. */
export const findModule = (): string | undefined => MODULES.find((path) => existsSync(path));

/** A software HSM with its own token in `tempDir`. Returns the name of a missing requirement. */
export async function findSoftHsm(tempDir: string): Promise<Pkcs11Config | { missing: string }> {
  const client = clientPath();
  const module = findModule();
  if (!module) return { missing: 'SoftHSM (Debian: apt-get install softhsm2)' };
  if (!(await import(client).catch(() => undefined))) {
    return { missing: 'the compiled package pkcs11js (npm test compiles it where it can)' };
  }
  initialiseToken(tempDir);
  return { provider: 'pkcs11', client, module, token: 'florin-test', pin: PIN };
}

function initialiseToken(tempDir: string): void {
  mkdirSync(join(tempDir, 'tokens'));
  const path = join(tempDir, 'softhsm2.conf');
  writeFileSync(path, `directories.tokendir = ${join(tempDir, 'tokens')}\nlog.level = ERROR\n`);
  // SoftHSM's library reads this variable when this process loads it.
  process.env.SOFTHSM2_CONF = path;
  const tokenOptions = ['--label', 'florin-test', '--pin', PIN, '--so-pin', '314159'];
  execFileSync('softhsm2-util', ['--init-token', '--free', ...tokenOptions], { stdio: 'ignore' });
}
