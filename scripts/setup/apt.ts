import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Whether Debian packages can be installed without a prompt. */
export const canInstall = (): boolean => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');

/** Installs Debian packages. The caller checks for the files that it needs. */
export function aptInstall(...names: readonly string[]): void {
  runApt(SHOWN, 'update', '-qq');
  runApt(SHOWN, ...installOf(names));
}

/** Installs an optional Debian package if the package lists are present. Prints nothing. */
export const tryAptInstall = (name: string): void => runApt('ignore', ...installOf([name]));

const installOf = (names: readonly string[]) => [
  'install',
  '-qq',
  '--yes',
  '--no-install-recommends',
  ...names,
];

/** Time limit, since a computer without a network would otherwise wait for each mirror. */
const LIMIT_MS = 120_000;
/** Shows errors of apt; `-qq` hides its progress. */
const SHOWN = 'inherit';

function runApt(errors: 'inherit' | 'ignore', ...args: string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', errors], timeout: LIMIT_MS });
}
