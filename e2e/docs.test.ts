import { globSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../packages/server/tests/support/api.ts';
import { violationsIn } from './support/axe.ts';
import { closeWindows, getSharedBrowser } from './support/browser.ts';
import { watchScriptBytes } from './support/script-bytes.ts';

const DIST = join(import.meta.dirname, '..', 'docs', 'dist');
const PAGE_BYTES_MAX = 300_000;
/** Compressed. */
const SCRIPT_BYTES_MAX = 100_000;
/** One page of each layout. */
const PAGES = [
  '',
  'start/first-payment',
  'api/payment_demands',
  'reference/event-codes',
  'errors/',
  'errors/too_small',
];

const api = useApi();
let browser: Browser;
beforeAll(async () => {
  browser = await getSharedBrowser();
});
afterAll(() => closeWindows(browser));

/** Opens a page, and collects what it loads from other hosts and what its policy blocks. */
async function openPage(path: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(api.stack.baseUrl)) faults.push(request.url());
  });
  await page.goto(`${api.stack.baseUrl}/docs/${path}`, { waitUntil: 'networkidle' });
  return { page, faults };
}

/** Ways to look at a page. Dark colours change nothing but contrast. */
const views = [
  { colorScheme: 'light', width: 1280, rules: undefined },
  { colorScheme: 'dark', width: 1280, rules: ['color-contrast'] },
  { colorScheme: 'light', width: 375, rules: undefined },
] as const;

it.each(PAGES)(
  'the page /docs/%s passes axe, fits, and loads nothing from elsewhere',
  async (path) => {
    const { page, faults } = await openPage(path);
    for (const { colorScheme, width, rules } of views) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      const root = colorScheme === 'dark' ? 'html.dark' : 'html:not(.dark)';
      await page.locator(root).waitFor({ state: 'attached' });
      expect(await violationsIn(page.mainFrame(), rules && [...rules])).toEqual([]);
      const overflow_px = await page.evaluate(
        () => document.documentElement.scrollWidth - window.innerWidth,
      );
      expect(overflow_px).toBeLessThanOrEqual(0);
    }
    expect(faults).toEqual([]);
  },
);

describe('the site', () => {
  it('loads at most 100 kB of script on its first page', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const readScriptBytes = watchScriptBytes(page);
    await page.goto(`${api.stack.baseUrl}/docs/`, { waitUntil: 'load' });
    expect(await readScriptBytes()).toBeLessThan(SCRIPT_BYTES_MAX);
  });

  it('finds a page by a word in it', async () => {
    const { page } = await openPage('');
    await page.getByRole('button', { name: 'Search' }).first().click();
    await page.getByRole('searchbox').fill('insufficient_funds');
    await page.locator('.VPLocalSearchBox .result').first().waitFor();
    await page.keyboard.press('Enter');
    await page.locator('main').getByText('insufficient_funds').first().waitFor();
    expect(new URL(page.url()).pathname).not.toBe('/docs/');
  });

  it('has the page that an error links to', async () => {
    const { body } = await api.client.get('/v2/customers?limit=10');
    const { code, links } = body.errors![0]!;
    const { page } = await openPage(new URL(links?.about ?? '').pathname.replace('/docs/', ''));
    expect(await page.locator('main').textContent()).toContain(code);
  });

  it('copies a sample', async () => {
    const { page } = await openPage('start/first-payment', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.locator('button.copy').first().click({ force: true });
    await page.locator('button.copy.copied').first().waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).not.toBe('');
  });

  it('shows all samples in the language that the reader chose, on the next page too', async () => {
    const { page } = await openPage('start/first-payment');
    const samples = page.locator('.vp-code-group .blocks > .active');
    const languagesOf = async () =>
      new Set(await samples.evaluateAll((blocks) => blocks.map(({ className }) => className)));
    await page.locator('label[data-title=Python]').first().click();
    expect([...(await languagesOf())].join()).toContain('language-python');
    await page.goto(`${api.stack.baseUrl}/docs/api/customers`);
    await page.locator('.vp-code-group .language-python.active').first().waitFor();
    expect([...(await languagesOf())].every((name) => name.includes('python'))).toBe(true);
  });
});

describe('the console of an operation', () => {
  const openConsole = async (page: Page, operation: string) => {
    const section = page.locator(`h3#${operation} ~ .try-it`).first();
    await section.locator('summary').click();
    return section;
  };

  it('sends a request with a sandbox key, and shows the response', async () => {
    const { page } = await openPage('api/customers');
    const section = await openConsole(page, 'createCustomer');
    await section
      .getByLabel('Secret key of the sandbox')
      .fill(api.stack.credentials.sandbox.secret_key);
    await section.getByRole('button', { name: 'Send' }).click();
    await section.getByText('201 Created').waitFor();
    expect(await section.locator('pre').textContent()).toContain('"type": "customers"');
    expect(await violationsIn(page.mainFrame())).toEqual([]);
  });

  it.each([
    ['a live key', 'ept_live_sSecret'],
    ['the placeholder of the samples', 'ept_sandbox_s…'],
  ])('refuses %s before it is sent', async (_, key) => {
    const { page } = await openPage('api/customers');
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    const section = await openConsole(page, 'createCustomer');
    await section.getByLabel('Secret key of the sandbox').fill(key);
    await section.getByRole('button', { name: 'Send' }).click();
    await section.getByRole('alert').filter({ hasText: 'Enter a whole secret key' }).waitFor();
    expect(requests.filter((url) => url.includes('/v2/'))).toEqual([]);
  });
});

describe('the built files', () => {
  it('have no page over 300 kB', () => {
    const pages = globSync('**/*.html', { cwd: DIST });
    expect(pages.length).toBeGreaterThan(50);
    expect(pages.filter((name) => statSync(join(DIST, name)).size > PAGE_BYTES_MAX)).toEqual([]);
  });

  it('have a Markdown twin of each page, which llms.txt lists', async () => {
    const pages = globSync('**/*.html', { cwd: DIST }).filter((name) => name !== '404.html');
    const twins = new Set(globSync('**/*.md', { cwd: DIST }));
    expect(pages.filter((name) => !twins.has(name.replace('.html', '.md')))).toEqual([]);
    const response = await fetch(`${api.stack.baseUrl}/docs/llms.txt`);
    const text = await response.text();
    expect([...twins].filter((name) => name !== 'index.md' && !text.includes(name))).toEqual([]);
    expect(readdirSync(DIST)).toContain('llms.txt');
  });
});
