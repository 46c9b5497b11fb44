import type { EntryType } from 'node:perf_hooks';
import type { BrowserContext, Page } from 'playwright-core';
import { launchWholeBrowser } from '../e2e/support/browser.ts';
import { openDashboard } from '../e2e/support/dashboard.ts';
import { median } from './table.ts';
import type { Testbed } from './testbed.ts';

/** Visits per page, each with an empty browser cache, and the factor by which the processor is slowed down. */
const VISITS = 5;
const CPU_SLOWDOWN = 4;
/** Time without long tasks after which a page counts as interactive, and the timeout for its heading. */
const QUIET_MS = 500;
const HEADING_LIMIT_MS = 60_000;
const POLL_MS = 100;

export type DashboardView = 'sign-in' | 'overview';

/** Result of a visit: time until the page is usable, and scripts loaded until then. */
interface Visit {
  /** Milliseconds from the start of the navigation. */
  readonly interactive_ms: number;
  /** Bytes over the network. */
  readonly script_bytes: number;
}

const visits = new Map<DashboardView, Promise<readonly Visit[]>>();

/**
 * Median milliseconds until a page is usable, on a processor slowed down four times. Usable: the heading is
 * shown, and the main thread had no long task (Chromium: more than 50 ms) for half a second.
 */
export async function measureInteractiveTime(
  testbed: Testbed,
  view: DashboardView,
): Promise<number> {
  const allVisits = visitOften(testbed, view);
  visits.set(view, allVisits);
  return median((await allVisits).map(({ interactive_ms }) => interactive_ms));
}

/** Compressed kilobytes of scripts that the visits of `measureInteractiveTime` loaded. */
export async function measureScriptSize(testbed: Testbed, view: DashboardView): Promise<number> {
  const pageVisits = await (visits.get(view) ?? visitOften(testbed, view));
  return median(pageVisits.map(({ script_bytes }) => script_bytes)) / 1_000;
}

/** Opens the page repeatedly and measures each visit. */
export async function visitOften(
  { florin }: Pick<Testbed, 'florin'>,
  view: DashboardView,
): Promise<readonly Visit[]> {
  await using browser = await launchWholeBrowser();
  const { page, sandbox } = await openDashboard(browser, florin);
  const cookies = await page.context().cookies();
  const address = view === 'sign-in' ? `${florin.baseUrl}/dashboard/` : sandbox;
  await page.close();
  const allVisits: Visit[] = [];
  for (let visit = 0; visit < VISITS; visit += 1) {
    await using context = await browser.newContext({ locale: 'en-US' });
    if (view === 'overview') await context.addCookies(cookies);
    allVisits.push(await visitOnce(context, address));
  }
  return allVisits;
}

async function visitOnce(context: BrowserContext, address: string): Promise<Visit> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  await page.addInitScript(watchPage);
  const readScriptBytes = watchScriptSizes(page);
  await page.goto(address, { waitUntil: 'commit' });
  const options = { timeout: HEADING_LIMIT_MS, polling: POLL_MS };
  const readyHandle = await page.waitForFunction(findReadyTime, QUIET_MS, options);
  return {
    interactive_ms: Number(await readyHandle.jsonValue()),
    script_bytes: await readScriptBytes(),
  };
}

interface WatchedWindow {
  florinWatch?: {
    heading_ms: number | undefined;
    readonly longTasks: { start: number; end: number }[];
  };
}

/** Runs in the page before its own code: records the time of the heading and all long tasks. */
function watchPage(): void {
  const longTasks: { start: number; end: number }[] = [];
  const record: NonNullable<WatchedWindow['florinWatch']> = { heading_ms: undefined, longTasks };
  (globalThis as WatchedWindow).florinWatch = record;
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      longTasks.push({ start: startTime, end: startTime + duration });
  }).observe({ type: 'longtask' as EntryType, buffered: true });
  const observer = new MutationObserver(() => {
    if (!document.querySelector('h1')) return;
    record.heading_ms = performance.now();
    observer.disconnect();
  });
  observer.observe(document, { childList: true, subtree: true });
}

/**
 * Runs in the page. Returns the start of the first quiet period after the heading; false before the end of
 * that period.
 */
function findReadyTime(quiet_ms: number): number | false {
  const { heading_ms, longTasks = [] } = (globalThis as WatchedWindow).florinWatch ?? {};
  if (heading_ms === undefined) return false;
  let quietStart = heading_ms;
  for (const { start, end } of longTasks)
    if (start < quietStart + quiet_ms && end > quietStart) quietStart = end;
  return performance.now() > quietStart + quiet_ms && quietStart;
}

/** Sums the sizes of a page's scripts. The returned function returns the current sum. */
function watchScriptSizes(page: Page): () => Promise<number> {
  const sizes: Promise<number>[] = [];
  page.on('requestfinished', (request) => {
    if (request.resourceType() === 'script')
      sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  return async () => (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
