import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CLIENT_DIRECTORY, findModule } from '../../packages/vault/tests/support/softhsm.ts';
import { aptInstall, canInstall } from './apt.ts';

const SOURCE = join(import.meta.dirname, 'soft-hsm');
/** Compiled module, which exists only after a complete build. */
const ADDON = join(CLIENT_DIRECTORY, 'node_modules/pkcs11js/build/Release/pkcs11.node');
/** Compiling takes seconds. Only a download without a response takes longer. */
const INSTALL_MS = 120_000;

/**
 * Installs a software HSM and the native PKCS#11 client for the vault's tests, where the computer allows.
 * Florin does not depend on the client. Tests without them are skipped and say so.
 */
export function ensureSoftHsm(): void {
  if (!findModule() && canInstall()) {
    console.log('Installing SoftHSM for the tests of the vault (apt-get install softhsm2).');
    aptInstall('softhsm2');
  }
  const isGiven = process.env.FLORIN_TEST_PKCS11JS !== undefined;
  if (findModule() && !isGiven && !existsSync(ADDON)) installClient();
}

/** Compiles pkcs11js with the pinned Node's headers in a separate directory, which needs no download. */
function installClient(): void {
  console.log('Compiling pkcs11js for the tests of the vault.');
  mkdirSync(CLIENT_DIRECTORY, { recursive: true });
  cpSync(SOURCE, CLIENT_DIRECTORY, { recursive: true });
  const npm = process.env.npm_execpath;
  // npm certainly works with the Node that started it.
  const node = process.env.npm_node_execpath ?? process.execPath;
  const [file, firstArgs] = npm?.endsWith('.js') ? [node, [npm]] : ['npm', []];
  const { status, error, stderr } = spawnSync(
    file,
    [...firstArgs, 'ci', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: CLIENT_DIRECTORY,
      env: { ...process.env, npm_config_nodedir: dirname(dirname(process.execPath)) },
      timeout: INSTALL_MS,
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  if (status !== 0) console.warn(`pkcs11js could not be compiled: ${error?.message ?? stderr}`);
}
