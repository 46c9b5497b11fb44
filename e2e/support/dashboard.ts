import type { Stack } from '@florin/dev-env/stack.ts';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** A window with pages of one merchant's sandbox. */
export interface MerchantPages {
  readonly page: Page;
  /** Address of the merchant in the sandbox, to which paths are added. */
  readonly sandbox: string;
  go(path: string): Promise<void>;
}

/** A window that is signed in to the dashboard. */
export interface DashboardPage extends MerchantPages {
  /** Errors in the console, except for responses of the server. */
  readonly complaints: string[];
}

/** Wraps a window that is at an address of the merchant. */
export function pagesOfMerchant(page: Page): MerchantPages {
  const { origin, pathname } = new URL(page.url());
  const [, base, merchant] = pathname.split('/');
  const sandbox = `${origin}/${base}/${merchant}/sandbox`;
  return {
    page,
    sandbox,
    async go(path) {
      await page.goto(`${sandbox}${path && `/${path}`}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
    },
  };
}

/** Opens the dashboard and signs in with the first start's login, in the demo merchant's sandbox. */
export async function openDashboard(
  browser: Browser,
  stack: Pick<Stack, 'baseUrl' | 'credentials'>,
  options: BrowserContextOptions = {},
): Promise<DashboardPage> {
  const context = await browser.newContext({ locale: 'en-US', ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    const isAnswer = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isAnswer) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(`${stack.baseUrl}/dashboard/`);
  await signIn(page, stack);
  await page.waitForURL(/\/sandbox$/);
  return { ...pagesOfMerchant(page), complaints };
}

/** Fills in the visible sign-in page. */
export async function signIn(page: Page, { credentials }: Pick<Stack, 'credentials'>) {
  await page.getByLabel('E-mail').fill(credentials.account.email);
  await page.locator('input[type=password]').fill(credentials.account.password ?? '');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}
