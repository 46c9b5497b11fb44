import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Whether Debian packages can be installed without a prompt. */
export const canInstall = (): boolean => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');

/** Installs a Debian package. The caller checks for success by the file that it needs. */
export function aptInstall(name: string): void {
  apt('update', '-qq');
  apt('install', '-qq', '--yes', '--no-install-recommends', name);
}

function apt(...args: string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // Hides the progress output; error output stays visible.
  spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
}
