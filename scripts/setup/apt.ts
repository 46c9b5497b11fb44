import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Whether Debian packages can be installed without a prompt. */
export const canInstall = (): boolean => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');

/** Installs a Debian package. The caller checks for the file that it needs. */
export function aptInstall(name: string): void {
  runApt(SHOWN, 'update', '-qq');
  runApt(SHOWN, ...installOf(name));
}

/** Installs an optional Debian package if the package lists are present. Prints nothing. */
export const tryAptInstall = (name: string): void => runApt('ignore', ...installOf(name));

const installOf = (name: string) => ['install', '-qq', '--yes', '--no-install-recommends', name];

/** Time limit, since a computer without a network would otherwise wait for each mirror. */
const LIMIT_MS = 120_000;
/** Shows errors of apt; `-qq` hides its progress. */
const SHOWN = 'inherit';

function runApt(errors: 'inherit' | 'ignore', ...args: string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', errors], timeout: LIMIT_MS });
}
