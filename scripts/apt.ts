import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Whether Debian's packages can be installed here without asking anybody. */
export const canInstall = (): boolean => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');

/** Installs a package of Debian's. Whether that went well is for the caller to see, who knows what it is to bring. */
export function aptInstall(name: string): void {
  apt('update', '-qq');
  apt('install', '-qq', '--yes', '--no-install-recommends', name);
}

function apt(...args: string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // Its progress is of no interest; what it has to say about a failure is.
  spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
}
