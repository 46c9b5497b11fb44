import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { storedPaymentId } from './bulk.ts';
import { run } from './load.ts';
import { cpuOf } from './processor-time.ts';
import type { Testbed } from './testbed.ts';

const LIST = '/v2/payment_demands?page[size]=50';
const CONNECTIONS = 16;
/** Number of different pages that a benchmark requests in turn. */
const PAGES = 200;

/** Filter over two relationships: the customer of the payment's card. */
const FILTERED = `${LIST}&filter[payment_method.customer.email]=customer-77@example.com`;

/** A page of the large merchant's payments, with its links. */
interface LargePage {
  readonly links: Readonly<Record<string, string>>;
}

async function fetchPage({ florin, million }: Testbed, path: string): Promise<Response> {
  const { headers } = await million();
  const response = await fetch(new URL(path, florin.baseUrl), { headers });
  if (!response.ok) throw new Error(`GET ${path}: ${await response.text()}`);
  return response;
}

const linksOf = async (testbed: Testbed, path: string): Promise<LargePage['links']> =>
  ((await (await fetchPage(testbed, path)).json()) as LargePage).links;

const pathOf = (link: string | undefined): string => {
  const { pathname, search } = new URL(link ?? '');
  return `${pathname}${search}`;
};

/** Only the newest page, which is requested repeatedly. */
const newest = async (): Promise<string[]> => [LIST];

/** Distance in time of two payments of the large merchant. */
const PAYMENT_MS = 1_000;
/** Share of the table, from its newest payment on, in which the scattered pages are. */
const SCATTERED_SHARE = 0.8;

/** Different pages at positions all over the table. */
async function findScatteredPages(testbed: Testbed): Promise<string[]> {
  const now = Date.now();
  const { payments } = await testbed.million();
  const distance_ms = (payments * PAYMENT_MS * SCATTERED_SHARE) / PAGES;
  const paths: string[] = [];
  for (let page = 0; page < PAGES; page++) {
    const createdBefore = new Date(now - page * distance_ms).toISOString();
    const { next } = await linksOf(testbed, `${LIST}&filter[created_at_lt]=${createdBefore}`);
    paths.push(pathOf(next));
  }
  return paths;
}

/** The second page, which is not cached. */
const findSecondPage = async (testbed: Testbed): Promise<string[]> => [
  pathOf((await linksOf(testbed, LIST)).next),
];

/** The page before the list's last page. */
async function findDeepestPage(testbed: Testbed): Promise<string[]> {
  const { last } = await linksOf(testbed, `${LIST}&page[total]=true`);
  const { prev } = await linksOf(testbed, pathOf(last).replace('page%5Btotal%5D=true&', ''));
  return [pathOf(prev)];
}

const pathFinders = {
  newest,
  second: findSecondPage,
  scattered: findScatteredPages,
  deepest: findDeepestPage,
} as const;
const pathsOfTestbeds = new WeakMap<Testbed, Map<string, Promise<string[]>>>();

function pathsOf(testbed: Testbed, position: keyof typeof pathFinders): Promise<string[]> {
  const pathsByPosition = pathsOfTestbeds.get(testbed) ?? new Map();
  pathsOfTestbeds.set(testbed, pathsByPosition);
  const paths = pathsByPosition.get(position) ?? pathFinders[position](testbed);
  pathsByPosition.set(position, paths);
  return paths;
}

const FETCH_CONNECTIONS = 64;

/** Fetches per second of payments all over the table, each time another. */
export async function measureFetches(testbed: Testbed, seconds: number): Promise<number> {
  const { headers, payments } = await testbed.million();
  const next = () => ({ method: 'GET' as const, path: storedPaymentPath(payments) });
  const origin = testbed.florin.baseUrl;
  const load = { origin, headers, connections: FETCH_CONNECTIONS, seconds, next };
  const { per_second, refused } = await run(load);
  if (refused > 0) throw new Error(`${refused} fetches were refused`);
  return per_second;
}

/** Bytes of one fetched payment. */
export async function fetchedBytes(testbed: Testbed): Promise<number> {
  const { payments } = await testbed.million();
  const response = await fetchPage(testbed, storedPaymentPath(payments));
  return (await response.arrayBuffer()).byteLength;
}

const storedPaymentPath = (payments: number): string =>
  `/v2/payment_demands/${storedPaymentId(Math.floor(Math.random() * payments))}`;

/** Processor time of the server for one page, in milliseconds. */
export async function measurePageCpu(
  testbed: Testbed,
  seconds: number,
  position: keyof typeof pathFinders,
): Promise<number> {
  const paths = await pathsOf(testbed, position);
  const { headers } = await testbed.million();
  return measureCpuPerResponse(testbed.pidOf('server'), {
    origin: testbed.florin.baseUrl,
    headers,
    paths,
    seconds,
  });
}

/** Processor time of the server for a prebuilt response of the same size, in milliseconds. */
export async function measurePrebuiltCpu(testbed: Testbed, seconds: number): Promise<number> {
  const { byteLength } = await (await fetchPage(testbed, LIST)).arrayBuffer();
  const args = [String(byteLength), testbed.databaseUrl];
  const child = fork(join(import.meta.dirname, 'prebuilt.ts'), args);
  const [port] = (await once(child, 'message')) as [number];
  const origin = `http://127.0.0.1:${port}`;
  const { headers } = await testbed.million();
  await run({ origin, headers, connections: CONNECTIONS, seconds: 0.5, next: cycle(['/']) });
  const cpu = await measureCpuPerResponse(child.pid as number, {
    origin,
    headers,
    paths: ['/'],
    seconds,
  });
  child.disconnect();
  return cpu;
}

/** Median response time of a page in milliseconds, one request at a time. */
export async function measurePageTime(
  testbed: Testbed,
  seconds: number,
  position: keyof typeof pathFinders,
): Promise<number> {
  const paths = await pathsOf(testbed, position);
  return measureMedianTime(testbed, paths, seconds);
}

export const measureFilteredTime = (testbed: Testbed, seconds: number): Promise<number> =>
  measureMedianTime(testbed, [FILTERED], seconds);

async function measureMedianTime(
  testbed: Testbed,
  paths: readonly string[],
  seconds: number,
): Promise<number> {
  const { headers } = await testbed.million();
  const origin = testbed.florin.baseUrl;
  return (await run({ origin, headers, connections: 1, seconds, next: cycle(paths) })).p50_ms;
}

interface LoadOptions {
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly paths: readonly string[];
  readonly seconds: number;
}

async function measureCpuPerResponse(
  pid: number,
  { origin, headers, paths, seconds }: LoadOptions,
): Promise<number> {
  const cpuBefore = cpuOf(pid);
  const { count, refused } = await run({
    origin,
    headers,
    connections: CONNECTIONS,
    seconds,
    next: cycle(paths),
  });
  if (refused > 0) throw new Error(`${refused} requests were refused`);
  return (cpuOf(pid) - cpuBefore) / count;
}

function cycle(paths: readonly string[]) {
  let at = 0;
  return () => {
    at = (at + 1) % paths.length;
    return { method: 'GET' as const, path: paths[at] as string };
  };
}
