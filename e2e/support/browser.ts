import { findChromium, findTestBrowser } from '@florin/dev-env/find-chromium.ts';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';

/** Repeats Playwright's own disabled features, because this list replaces Playwright's. */
const FEATURES_OFF = [
  'IsolateOrigins',
  'site-per-process',
  'LensOverlay',
  'MediaRouter',
  'OptimizationHints',
  'PaintHolding',
  // Address bar suggestions, which take half of the time of each new context.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'AimEnabled',
];

const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-site-isolation-trials',
  `--disable-features=${FEATURES_OFF}`,
  // Pages of a test live for seconds. To optimise their scripts fully takes more time than it saves.
  '--js-flags=--no-opt',
];

/** Default of Playwright that this browser does not have, so that pages return from the back/forward cache. */
const CACHE_OFF = '--disable-back-forward-cache';

const launch = (
  executablePath = '/usr/bin/chromium',
  ignoreDefaultArgs: string[] = [CACHE_OFF],
): Promise<Browser> => chromium.launch({ executablePath, args: ARGUMENTS, ignoreDefaultArgs });

let runningBrowser: Promise<Browser> | undefined;

/**
 * Returns the browser that all test files of this process share: the machine's Chromium, or its headless shell. The
 * browser ends with the process. Each file closes its own windows.
 */
export function getSharedBrowser(): Promise<Browser> {
  runningBrowser ??= startOnce();
  return runningBrowser;
}

/** Starts the shared browser. After a failed start or a crash, the next call starts another browser. */
async function startOnce(): Promise<Browser> {
  const clearRunning = () => {
    runningBrowser = undefined;
  };
  try {
    return (await launch(findTestBrowser())).on('disconnected', clearRunning);
  } catch (error) {
    clearRunning();
    throw error;
  }
}

/** Closes all windows, except for those of `keptContext`. */
export async function closeWindows(
  browser: Browser | undefined,
  keptContext?: BrowserContext,
): Promise<void> {
  const contextsToClose = (browser?.contexts() ?? []).filter((context) => context !== keptContext);
  await Promise.all(contextsToClose.map((context) => context.close()));
}

/** Launches the machine's Chromium with the back/forward cache, which Playwright disables by default. */
export const launchWholeBrowser = (): Promise<Browser> => launch(findChromium());

/** Launches a browser with scroll bars, which Playwright hides by default. */
export const launchWithScrollBars = (): Promise<Browser> =>
  launch(findTestBrowser(), [CACHE_OFF, '--hide-scrollbars']);
