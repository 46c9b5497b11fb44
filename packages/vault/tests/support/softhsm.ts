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

/**
 * A software HSM with a token of its own in `home`, or what this machine lacks for one. The package pkcs11js is native
 * and optional; FLORIN_TEST_PKCS11JS names where it is, if not in node_modules.
 */
export async function findSoftHsm(home: string): Promise<Pkcs11Config | { missing: string }> {
  const client = process.env.FLORIN_TEST_PKCS11JS ?? 'pkcs11js';
  const module = MODULES.find((path) => existsSync(path));
  if (!module) return { missing: 'SoftHSM (Debian: apt-get install softhsm2)' };
  if (!(await import(client).catch(() => undefined))) {
    return { missing: 'the package pkcs11js (npm install --no-save pkcs11js)' };
  }
  initialiseToken(home);
  return { provider: 'pkcs11', client, module, token: 'florin-test', pin: PIN };
}

function initialiseToken(home: string): void {
  mkdirSync(join(home, 'tokens'));
  const path = join(home, 'softhsm2.conf');
  writeFileSync(path, `directories.tokendir = ${join(home, 'tokens')}\nlog.level = ERROR\n`);
  // The library reads this when it is loaded into this process.
  process.env.SOFTHSM2_CONF = path;
  const label = ['--label', 'florin-test', '--pin', PIN, '--so-pin', '314159'];
  execFileSync('softhsm2-util', ['--init-token', '--free', ...label], { stdio: 'ignore' });
}
