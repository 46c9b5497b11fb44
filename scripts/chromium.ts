import { findChromium } from '@florin/dev-env/find-chromium.ts';
import { aptInstall, canInstall } from './apt.ts';

/**
 * Makes sure that the browser tests have a Chromium: installs Debian's where this is root on a machine with apt.
 * Throws an error of one sentence where there is none.
 */
export async function ensureChromium(): Promise<void> {
  if (findChromium()) return;
  if (!canInstall()) throw new Error(`No Chromium was found; ${HOW}.`);
  console.log('Installing Chromium for the browser tests (apt-get install chromium).');
  aptInstall('chromium');
  if (!findChromium()) throw new Error(`Chromium could not be installed by apt-get; ${HOW}.`);
}

const HOW =
  'install Chromium or Chrome, or set CHROMIUM_PATH to its program, for the browser tests';
