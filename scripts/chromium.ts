import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findChromium } from '@florin/dev-env/find-chromium.ts';

/**
 * Makes sure that the browser tests have a Chromium: installs Debian's where this is root on a machine with apt.
 * Throws an error of one sentence where there is none.
 */
export async function ensureChromium(): Promise<void> {
  if (findChromium()) return;
  const canInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (!canInstall) throw new Error(`No Chromium was found; ${HOW}.`);
  console.log('Installing Chromium for the browser tests (apt-get install chromium).');
  apt('update', '-qq');
  apt('install', '-qq', '--yes', '--no-install-recommends', 'chromium');
  if (!findChromium()) throw new Error(`Chromium could not be installed by apt-get; ${HOW}.`);
}

const HOW =
  'install Chromium or Chrome, or set CHROMIUM_PATH to its program, for the browser tests';

function apt(...args: string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // Its progress is of no interest; what it has to say about a failure is.
  spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
}
