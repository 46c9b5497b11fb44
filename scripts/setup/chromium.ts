import { publishChromium } from '@florin/dev-env/config/env.ts';
import { DEBIAN, findChromium, findTestBrowser } from '@florin/dev-env/find-chromium.ts';
import { aptInstall, canInstall, tryAptInstall } from './apt.ts';

/**
 * Ensures that Chromium exists, and publishes its path. As root on a computer with apt, installs missing
 * Debian packages: the browser and its headless shell. Throws an error of one sentence if no browser is
 * found.
 */
export async function ensureChromium(): Promise<void> {
  const path = findChromium() ?? installChromium();
  if (findTestBrowser() === DEBIAN && canInstall()) tryAptInstall('chromium-headless-shell');
  publishChromium(path);
}

function installChromium(): string {
  if (!canInstall()) throw new Error(`No Chromium was found; ${INSTALL_HINT}.`);
  console.log('Installing Chromium (apt-get install chromium).');
  aptInstall('chromium');
  const path = findChromium();
  if (!path) throw new Error(`Chromium could not be installed by apt-get; ${INSTALL_HINT}.`);
  return path;
}

const INSTALL_HINT = 'install Chromium or Chrome, or set CHROMIUM_PATH to its program';
