import type { Stack } from '@florin/dev-env/stack.ts';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** A window with pages of one merchant's sandbox. */
export interface MerchantPages {
  readonly page: Page;
  /** URL of the merchant's sandbox, to which paths are appended. */
  readonly sandbox: string;
  /** Navigates to a path as a link does. Loads the path if the application is not open. */
  go(path: string): Promise<void>;
  /** Loads a path again, without the application's cache. */
  load(path: string): Promise<void>;
}

/** A window that is signed in to the dashboard. */
export interface DashboardPage extends MerchantPages {
  /** Errors in the console, without failed responses of the server. */
  readonly consoleErrors: readonly string[];
}

/** Wraps a window at an address of the merchant. */
export function pagesOfMerchant(page: Page): MerchantPages {
  const { origin, pathname } = new URL(page.url());
  const [, base, merchant] = pathname.split('/');
  const sandbox = `${origin}/${base}/${merchant}/sandbox`;
  const urlOf = (path: string) => `${sandbox}${path && `/${path}`}`;
  return {
    page,
    sandbox,
    go: (path) => follow(page, urlOf(path)),
    load: (path) => load(page, urlOf(path)),
  };
}

/** Path of a merchant's pages in one mode. */
const MODE_PATH = /^\/dashboard\/[0-9a-f-]{36}\/(?:live|sandbox)/;

/**
 * Navigates to an address of the dashboard, and closes the notices of the page before. Uses the router if the dashboard
 * is open, for a tenth of the cost of a load.
 */
export async function follow(page: Page, address: string): Promise<void> {
  const [from, to] = [new URL(page.url()), new URL(address)];
  const isOpen = from.origin === to.origin && from.pathname.startsWith('/dashboard/');
  const isSamePath = from.pathname === to.pathname;
  const [modePath] = MODE_PATH.exec(from.pathname) ?? [];
  if (!isOpen || (isSamePath && !modePath)) return load(page, address);
  await closeNotices(page);
  // `pushAddress` waits for a new title. A change of parameters alone sets none, so another page is opened first.
  if (isSamePath) await page.evaluate(pushAddress, `${modePath}/elsewhere`);
  if (!(await page.evaluate(pushAddress, address))) await load(page, address);
}

async function load(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).waitFor();
}

/**
 * Runs in the page: resolves to `true` when the page at the address has set the window's title. Resolves to `false`
 * after ten seconds: a page that comes back before the next one was drawn sets no title.
 */
function pushAddress(address: string): Promise<boolean> {
  document.title = '';
  return new Promise((resolve) => {
    const settle = (isTitled: boolean) => {
      titleObserver.disconnect();
      clearTimeout(timer);
      resolve(isTitled);
    };
    const titleObserver = new MutationObserver(() => document.title && settle(true));
    const timer = setTimeout(settle, 10_000, false);
    titleObserver.observe(document.head, { childList: true, subtree: true });
    history.pushState({}, '', address);
  });
}

/** Waits until no part of the page is loading. */
export const waitUntilSettled = (page: Page): Promise<void> =>
  page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });

/** Waits for all colour transitions to end. */
export const waitUntilPainted = (page: Page): Promise<unknown> =>
  page.evaluate(async () => {
    await new Promise(requestAnimationFrame);
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
  });

/** Closes the notices, which cover a corner of the page for seven seconds. Clicks there would wait for their end. */
export const closeNotices = (page: Page): Promise<void> =>
  page
    .getByRole('status')
    .getByRole('button', { name: 'Close' })
    .evaluateAll((buttons) => {
      for (const button of buttons) (button as HTMLElement).click();
    });

/**
 * Disables transitions, which draw sixty frames a second and are not tested. The window is as small as a page with its
 * navigation allows, because each frame is drawn by the processor.
 */
const WINDOW_OPTIONS: BrowserContextOptions = {
  locale: 'en-US',
  reducedMotion: 'reduce',
  viewport: { width: 1_000, height: 700 },
};

/** Opens an empty window in a context of its own. */
export async function newWindow(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<Page> {
  return (await browser.newContext({ ...WINDOW_OPTIONS, ...options })).newPage();
}

/** Signs a window in without the sign-in page, which takes half a second of processor time. */
export async function signInDirectly(
  page: Page,
  baseUrl: string,
  account: Stack['credentials']['account'],
): Promise<void> {
  const response = await page.context().request.post(`${baseUrl}/dashboard/api/session`, {
    headers: { 'florin-dashboard': '1', origin: new URL(baseUrl).origin },
    data: account,
  });
  if (!response.ok()) throw new Error(`sign-in: ${response.status()} ${await response.text()}`);
}

/** Opens the dashboard in the merchant's sandbox, signed in with the login in the credentials. */
export async function openDashboard(
  browser: Browser,
  stack: Pick<Stack, 'baseUrl' | 'credentials'>,
  options: BrowserContextOptions = {},
): Promise<DashboardPage> {
  return openDashboardIn(await newWindow(browser, options), stack);
}

/** Returns the list to which errors in the window's console are added. */
export function collectConsoleErrors(page: Page): readonly string[] {
  const consoleErrors: string[] = [];
  page.on('console', (message) => {
    const isFailedResponse = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isFailedResponse) consoleErrors.push(message.text());
  });
  page.on('pageerror', (error) => consoleErrors.push(String(error)));
  return consoleErrors;
}

/** Opens the dashboard in an empty window. */
export async function openDashboardIn(
  page: Page,
  { baseUrl, credentials }: Pick<Stack, 'baseUrl' | 'credentials'>,
): Promise<DashboardPage> {
  const consoleErrors = collectConsoleErrors(page);
  await signInDirectly(page, baseUrl, credentials.account);
  await page.goto(`${baseUrl}/dashboard/`);
  await page.waitForURL(/\/sandbox$/);
  return { ...pagesOfMerchant(page), consoleErrors };
}
