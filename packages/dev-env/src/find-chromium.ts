import { existsSync } from 'node:fs';
import { chromiumFromEnv } from './config/env.ts';

const PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The path of a Chromium or Chrome: `CHROMIUM_PATH`, or where systems put it; undefined where there is none. */
export function findChromium(): string | undefined {
  return chromiumFromEnv() ?? PATHS.find((path) => existsSync(path));
}
