import { publishChromium } from '@florin/dev-env/config/env.ts';
import { findChromium } from '@florin/dev-env/find-chromium.ts';
import { aptInstall, canInstall } from './apt.ts';

/**
 * Makes sure that Chromium exists and publishes its path. Installs Debian's package if this is root on a machine with
 * apt. Throws an error of one sentence if there is none.
 */
export async function ensureChromium(): Promise<void> {
  publishChromium(findChromium() ?? installed());
}

function installed(): string {
  if (!canInstall()) throw new Error(`No Chromium was found; ${HOW}.`);
  console.log('Installing Chromium (apt-get install chromium).');
  aptInstall('chromium');
  const path = findChromium();
  if (!path) throw new Error(`Chromium could not be installed by apt-get; ${HOW}.`);
  return path;
}

const HOW = 'install Chromium or Chrome, or set CHROMIUM_PATH to its program';
