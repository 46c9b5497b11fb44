import { statSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { paymentTabs } from '@florin/contract/payment-tabs.ts';
import type { Page } from 'playwright-core';
import { getSharedBrowser } from '../../e2e/support/browser.ts';
import {
  type DashboardPage,
  openDashboard,
  waitUntilSettled,
} from '../../e2e/support/dashboard.ts';
import { readOptions, wholeNumber } from '../../scripts/options.ts';
import { ensureChromium } from '../../scripts/setup/chromium.ts';
import { openGrowingPayments, requireDisk } from '../growth/payments.ts';
import { type DashboardView, visitOften } from '../interactive.ts';
import { interruption, untilInterrupted } from '../interruption.ts';
import { machineOf } from '../machine.ts';
import { parsePayments, roundOptions } from '../options.ts';
import { countOf, endStep, grouped, showStep } from '../progress.ts';
import { runCommand } from '../run-command.ts';
import { createTestbed, type Testbed } from '../testbed.ts';
import { type Figure, medianOf, renderFigures } from './render.ts';
import { scrollThrough } from './scroll.ts';

/** Minutes of as many payments as there may be. */
const EXPORTED_MAX = 1_000_000;

const options = readOptions({
  command: 'npm run bench:dashboard',
  summary:
    'Opens the dashboard of a merchant with many payments in Chromium, and measures each action.',
  options: {
    payments: { default: '1000000', description: 'number of payments', parse: parsePayments },
    rounds: roundOptions('action').rounds,
    exported: {
      default: '10',
      description: 'minutes of payments that the export has, one a second',
      parse: wholeNumber(1, EXPORTED_MAX),
    },
  },
});

/** Factor by which the slow rounds slow the processor down. */
const SLOW = 4;
/** Rows that scrolling passes. */
const SCROLLED_ROWS = 1_000;
const EXPORT_MS = 600_000;

interface Step {
  readonly name: string;
  /** A number in the result replaces the measured milliseconds. */
  readonly run: (dashboard: DashboardPage) => Promise<unknown>;
}

const rows = (page: Page) => page.getByRole('row').filter({ has: page.getByRole('cell') });
const counted = (page: Page, text: RegExp) =>
  page.locator('label', { hasText: text }).first().waitFor();

async function search(page: Page, text: string): Promise<void> {
  await page.getByLabel('Find a payment').fill(text);
  await page.getByLabel('Find a payment').press('Enter');
  await page.getByRole('status').getByText('Searched as:').waitFor();
  await waitUntilSettled(page);
}

/** Types a text into the palette at once. Returns milliseconds from the first key to a customer with that text. */
async function openPalette(page: Page, text: string): Promise<number> {
  await page.keyboard.press('Control+k');
  const [name, digits] = text.split(' ');
  const shown = page.evaluate(timeOfOption, `${name}-[0-9]*${digits}[0-9]*@`);
  const startedAt = await page.evaluate(() => performance.now());
  await page.keyboard.type(text);
  const shownAt = await shown;
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  return shownAt - startedAt;
}

/** Runs in the page, because Playwright looks twice a second only: time at which such an option is shown. */
function timeOfOption(pattern: string): Promise<number> {
  const isShown = () =>
    [...document.querySelectorAll('[role=option]')].some(({ textContent }) =>
      new RegExp(pattern).test(textContent),
    );
  return new Promise((resolve, reject) => {
    const observer = new MutationObserver(() => {
      if (!isShown()) return;
      observer.disconnect();
      resolve(performance.now());
    });
    setTimeout(() => reject(new Error(`no option ${pattern} in 30 s`)), 30_000);
    observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  });
}

const filtered =
  (parameters: string): Step['run'] =>
  async ({ page, load }) => {
    await load(`payments?${parameters}`);
    // The merchant has no refunded or disputed payments.
    await rows(page)
      .first()
      .or(page.getByText(/^No payments/))
      .first()
      .waitFor();
    await waitUntilSettled(page);
  };

const STEPS: readonly Step[] = [
  {
    name: 'open the list: first rows',
    run: async ({ page, load }) => {
      await load('payments');
      await rows(page).first().waitFor();
    },
  },
  {
    name: 'open the list: counts of all tabs',
    run: async ({ page, load }) => {
      await load('payments');
      await counted(page, /^All /);
      await counted(page, /^Failed \d/);
      await waitUntilSettled(page);
    },
  },
  ...paymentTabs.map((tab) => ({ name: `tab ${tab}`, run: filtered(`tab=${tab}`) })),
  { name: 'filter: last 30 days', run: filtered('date=last_30') },
  { name: 'filter: an amount', run: filtered('filter[amount_cents]=4242') },
  { name: 'search: an email', run: ({ page }) => search(page, 'customer-777@example.com') },
  { name: 'search: a part of a name', run: ({ page }) => search(page, 'ustomer 77') },
  { name: 'search: a reference', run: ({ page }) => search(page, 'order-765432') },
  { name: 'search: last four digits', run: ({ page }) => search(page, '0004') },
  { name: 'search: an amount', run: ({ page }) => search(page, '$42.42') },
  {
    name: 'search: a part of a name, with the last 30 days',
    run: filtered('q=ustomer 77&date=last_30'),
  },
  { name: 'search: nothing like it', run: ({ page }) => search(page, 'peonies') },
  {
    name: 'Ctrl-K: a customer by part of the name',
    run: ({ page }) => openPalette(page, 'customer 77'),
  },
  {
    name: 'open the overview',
    run: async ({ page, load }) => {
      await load('');
      await waitUntilSettled(page);
    },
  },
];

/** Milliseconds of a step. */
async function measure({ run }: Step, dashboard: DashboardPage): Promise<number> {
  const started = performance.now();
  const result = await run(dashboard);
  return typeof result === 'number' ? result : performance.now() - started;
}

/** A step that fails leaves a gap in the table. */
function reportFailure({ name }: Step, { message }: Error): number {
  interruption.throwIfAborted();
  endStep();
  console.error(`The action "${name}" failed: ${stripVTControlCharacters(message)}`);
  return Number.NaN;
}

async function measureSteps(dashboard: DashboardPage, factor: number): Promise<Figure[]> {
  const session = await dashboard.page.context().newCDPSession(dashboard.page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: factor });
  const figures = STEPS.map(({ name }): Figure => ({ name, values: [] }));
  for (let round = 1; round <= options.rounds; round++) {
    showStep(`round ${round} of ${options.rounds}, processor slowed ${factor}x`);
    await dashboard.load('payments');
    for (const [index, step] of STEPS.entries()) {
      const measured = untilInterrupted(measure(step, dashboard));
      figures[index]?.values.push(await measured.catch((error) => reportFailure(step, error)));
    }
  }
  endStep();
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  return figures;
}

/** Time until a page is usable on the slow processor, at a first visit. */
async function measureFirstVisit(testbed: Testbed, view: DashboardView): Promise<string> {
  const visits = await visitOften(testbed, view);
  const ms = medianOf(visits.map(({ interactive_ms }) => interactive_ms));
  return `first visit of ${view}: usable after ${ms.toFixed(0)} ms, four times slower`;
}

/** Downloads an export of the newest payments. Returns its seconds and bytes. */
async function measureExport({ page, load }: DashboardPage, newest: Date): Promise<string> {
  const from = new Date(newest.getTime() - options.exported * 60_000).toISOString();
  await load(`payments?filter[created_at][gte]=${from}`);
  await waitUntilSettled(page);
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const started = performance.now();
  const download = page.waitForEvent('download', { timeout: EXPORT_MS });
  await page.getByRole('dialog').getByRole('link', { name: 'Download' }).click();
  const path = await (await download).path();
  const seconds = (performance.now() - started) / 1_000;
  return `export: ${grouped(statSync(path).size)} bytes in ${seconds.toFixed(1)} s`;
}

async function newestPayment(testbed: Testbed): Promise<Date> {
  const [row] = await testbed.query<{ at: Date }>(
    'select created_at as at from payment_demands where merchant_id = $1 order by created_at desc limit 1',
    [await testbed.merchantId()],
  );
  if (!row) throw new Error('The merchant has no payments.');
  return row.at;
}

async function main(): Promise<void> {
  const size = options.payments;
  requireDisk(size);
  await ensureChromium();
  await using testbed = await createTestbed();
  await using payments = await openGrowingPayments(testbed);
  await untilInterrupted(payments.growTo(size));
  console.log(
    `${await machineOf(testbed)}\n${countOf(size, 'payment')}, medians of ${countOf(options.rounds, 'round')}.\n`,
  );
  const browser = await getSharedBrowser();
  const dashboard = await openDashboard(browser, {
    baseUrl: testbed.florin.baseUrl,
    credentials: testbed.florin.credentials,
  });
  const plain = await measureSteps(dashboard, 1);
  const slow = await measureSteps(dashboard, SLOW);
  console.log(renderFigures(plain, slow));
  await dashboard.load('payments');
  console.log(await untilInterrupted(scrollThrough(dashboard.page, SCROLLED_ROWS)));
  console.log(await untilInterrupted(measureExport(dashboard, await newestPayment(testbed))));
  for (const view of ['sign-in', 'overview'] as const) {
    console.log(await untilInterrupted(measureFirstVisit(testbed, view)));
  }
  for (const error of dashboard.consoleErrors) console.log(`console error: ${error}`);
  await browser.close();
  refuseFailures([...plain, ...slow]);
}

/** Throws an error that names the actions that failed. */
function refuseFailures(figures: readonly Figure[]): void {
  const failed = figures.filter(({ values }) => Number.isNaN(medianOf(values)));
  const names = new Set(failed.map(({ name }) => `"${name}"`));
  if (names.size > 0)
    throw new Error(`${countOf(names.size, 'action')} failed: ${[...names].join(', ')}.`);
}

await runCommand(main);
