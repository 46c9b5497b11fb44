import { existsSync } from 'node:fs';
import { chromiumFromEnv } from './config/env.ts';

export const DEBIAN = '/usr/bin/chromium';
const DEBIAN_SHELL = '/usr/bin/chromium-headless-shell';
const PATHS = [
  DEBIAN,
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * Returns the path of Chromium or Chrome: `CHROMIUM_PATH`, or a standard location. Undefined if none is installed.
 * Throws an error with one sentence if `CHROMIUM_PATH` names a missing file.
 */
export function findChromium(): string | undefined {
  const named = chromiumFromEnv();
  if (named && !existsSync(named)) {
    throw new Error(
      `CHROMIUM_PATH names ${named}, and nothing is there: set it to the program of a Chromium or Chrome, or unset it.`,
    );
  }
  return named ?? PATHS.find((path) => existsSync(path));
}

/**
 * Returns the path of a browser for tests. Prefers the headless shell of Debian's Chromium, which opens a page in less
 * than half the time but has no back/forward cache.
 */
export function findTestBrowser(): string | undefined {
  const browser = findChromium();
  return browser === DEBIAN && existsSync(DEBIAN_SHELL) ? DEBIAN_SHELL : browser;
}
