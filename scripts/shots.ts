import { globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { findChromium } from '@florin/dev-env/find-chromium.ts';
import { type Processes, startProcesses } from '@florin/dev-env/start-processes.ts';
import { readOptions } from './options.ts';
import { withPalette } from './palette-png.ts';
import { ROOT } from './program.ts';
import { ensureChromium } from './setup/chromium.ts';
import { connectProcessors } from './shots-processors.ts';

/** A page for a screenshot, from a `shots.json` beside the page's code. */
interface ScreenshotPage {
  /** File name without theme and extension. */
  readonly name: string;
  /**
   * Path in the demo merchant's sandbox, or an absolute one. `{customers}` is the id of the newest, `{disputes:won}` of
   * the newest with this status; `{operator:processor_accounts}` is of the operators' interface.
   */
  readonly path: string;
  /** Whether the screenshot is taken without a signed-in person. */
  readonly public?: boolean;
  /** Whether the path is of the server itself and not of the dashboard. */
  readonly server?: boolean;
  /** Selector to click before the screenshot. */
  readonly click?: string;
}

type Page = import('playwright-core').Page;
type Browser = import('playwright-core').Browser;

const FOLDER = 'docs/shots';
/** Script for pages. Headless ones have no scroll bar, so its room would be an empty strip. Their policy refuses styles. */
const REMOVE_GUTTER = "document.documentElement.style.scrollbarGutter = 'auto'";
const THEMES = ['light', 'dark'] as const;
const VIEWPORT = { width: 1280, height: 800 };
const ALL_BYTES_MAX = 4_800_000;
/** Wait until the demo's orders are paid. */
const SETTLE_MS = 10_000;
const QUIET_MS = 700;
const PRESS_MS = 15_000;

const { only } = readOptions({
  command: 'npm run shots',
  summary: `Takes screenshots of the demo shop and of every dashboard page, in light and dark, into ${FOLDER}.`,
  options: {
    only: {
      default: '',
      description: 'only screenshots whose name contains one of these texts: a,b',
    },
  },
});

const shots = globSync('packages/{dashboard,server}/src/**/shots.json', { cwd: ROOT })
  .sort()
  .flatMap((file) => JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as ScreenshotPage[])
  .filter(({ name }) => only.split(',').some((part) => name.includes(part)));

async function launch(): Promise<Browser> {
  const { chromium } = createRequire(join(ROOT, 'e2e/package.json'))(
    'playwright-core',
  ) as typeof import('playwright-core');
  const executablePath = findChromium() ?? '/usr/bin/chromium';
  return chromium.launch({ executablePath, args: ['--headless', '--no-sandbox', '--disable-gpu'] });
}

async function shootAll(
  browser: Browser,
  florin: Processes,
  theme: (typeof THEMES)[number],
): Promise<void> {
  const context = await browser.newContext({
    viewport: VIEWPORT,
    colorScheme: theme,
    locale: 'en-US',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await page.goto(`${florin.baseUrl}/dashboard/`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  for (const shot of shots.filter((candidate) => candidate.public))
    await takeShot(page, florin.baseUrl, shot, theme);
  const sandbox = await signIn(page, florin);
  if (theme === THEMES[0]) await page.waitForTimeout(SETTLE_MS);
  for (const shot of shots.filter((candidate) => !candidate.public))
    await takeShot(page, sandbox, shot, theme);
  await context.close();
}

/** Signs in. Returns the URL of the merchant's sandbox. */
async function signIn(page: Page, { baseUrl, credentials }: Processes): Promise<string> {
  await page.goto(`${baseUrl}/dashboard/`);
  await page.getByLabel('Email').fill(credentials.account.email);
  await page.locator('input[type=password]').fill(credentials.account.password ?? '');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(/\/sandbox$/);
  return page.url();
}

async function takeShot(
  page: Page,
  base: string,
  shot: ScreenshotPage,
  theme: string,
): Promise<void> {
  const { name, click } = shot;
  await page.goto(await addressOf(page, base, shot));
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForLoadState('networkidle');
  if (click) await press(page, name, click);
  await page.evaluate(REMOVE_GUTTER);
  await page.waitForTimeout(QUIET_MS);
  const file = join(FOLDER, `${name}-${theme}.png`);
  writeFileSync(join(ROOT, file), withPalette(await page.screenshot()));
  console.log(`${file} ${Math.round(statSync(join(ROOT, file)).size / 1000)} kB`);
}

async function addressOf(page: Page, base: string, shot: ScreenshotPage): Promise<string> {
  const path = await fillPath(page, base, shot.path);
  if (!path.startsWith('/')) return `${base}${path && `/${path}`}`;
  return `${new URL(base).origin}${shot.server ? '' : '/dashboard'}${path}`;
}

/** Clicks a selector. A failed click is reported and does not stop the other screenshots. */
async function press(page: Page, name: string, selector: string): Promise<void> {
  try {
    await page.locator(selector).first().click({ timeout: PRESS_MS });
  } catch {
    console.error(`${name}: there is nothing to press like ${selector}.`);
    process.exitCode = 1;
  }
}

/** Replaces each type in the path with its newest record's id, read through the page's own API. */
async function fillPath(page: Page, base: string, path: string): Promise<string> {
  const [, type] = /\{([\w:]+)\}/.exec(path) ?? [];
  if (!type) return path;
  const [, , merchant = '', mode = ''] = new URL(base).pathname.split('/');
  const id = await page.evaluate(
    async ({ type, headers }) => {
      const [name, part] = type.split(':');
      const filter = part ? `&filter[status]=${part}` : '';
      const path =
        name === 'operator'
          ? `/dashboard/api/operator/${part}`
          : `/v2/${name}?page[size]=1${filter}`;
      const response = await fetch(path, { headers });
      const { data } = (await response.json()) as { data?: { id: string }[] };
      return data?.[0]?.id ?? '';
    },
    { type: type, headers: { 'florin-merchant': merchant, 'florin-mode': mode } },
  );
  return fillPath(page, base, path.replace(`{${type}}`, id));
}

function checkSize(): void {
  const sizes = globSync(`${FOLDER}/*.png`, { cwd: ROOT }).map(
    (file) => statSync(join(ROOT, file)).size,
  );
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  console.log(`${sizes.length} pictures, ${bytes} bytes.`);
  if (bytes > ALL_BYTES_MAX)
    throw new Error(`The pictures have ${bytes} of ${ALL_BYTES_MAX} bytes at most.`);
}

await ensureChromium();
await using florin = await startProcesses({ env: { FLORIN_DEMO_ORDERS: 'true' } });
await connectProcessors(florin);
await using browser = await launch();
mkdirSync(join(ROOT, FOLDER), { recursive: true });
for (const theme of THEMES) await shootAll(browser, florin, theme);
checkSize();
