import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Field } from '@florin/contract/resources/define-resource.ts';
import { type ResourceType, resources } from '@florin/contract/resources/index.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../packages/server/tests/support/api.ts';
import type { Client, ResourceObject } from '../packages/server/tests/support/client.ts';
import { deliveriesOf, makeHook } from '../packages/server/tests/support/hooks.ts';
import {
  eventually,
  makeAddress,
  makeMethod,
  waitForEmails,
} from '../packages/server/tests/support/make.ts';
import { closeWindows, getSharedBrowser } from './support/browser.ts';
import { type DashboardPage, newWindow, openDashboardIn } from './support/dashboard.ts';
import { CANARY, MARK, makeHostile, makeHostileRecords } from './support/hostile-records.ts';
import { findNameProblems } from './support/names.ts';

declare global {
  /** Scripts that ran and violations, since the last check. */
  var violations: string[];
}

const api = useApi();
let browser: Browser;
let receiver: Server;
let client: Client;
let dashboard: DashboardPage;
let page: Page;
let records: ReadonlyMap<ResourceType, ResourceObject>;
let payment: ResourceObject;
let delivery: ResourceObject;
/** Controls without a name of their own, on the pages that were visited. */
const nameProblemsByPath: Record<string, readonly string[]> = {};
/** Forbidden actions that a page has done. */
const forbiddenActions: string[] = [];

/** A webhook endpoint of a merchant that answers with an HTML page. */
async function startReceiver(): Promise<Server> {
  const server = createServer((request, response) => {
    const headers = { 'content-type': 'text/html', 'x-note': `${MARK}<svg onload=${CANARY}()>` };
    request
      .resume()
      .on('end', () => response.writeHead(500, headers).end(`${MARK}<script>${CANARY}()</script>`));
  }).listen(0);
  await once(server, 'listening');
  return server;
}

beforeAll(async () => {
  [browser, receiver] = await Promise.all([getSharedBrowser(), startReceiver()]);
  ({ client } = api);
  const { port } = receiver.address() as AddressInfo;
  const url = `http://localhost:${port}/${MARK}`;
  const hook = await makeHook(client, { url });
  records = await makeHostileRecords(client, api.live, api.fixtures);
  [payment, delivery] = await Promise.all([payHostile(), waitForDelivery(hook)]);
  page = await newWindow(browser);
  await watchPage();
  dashboard = await openDashboardIn(page, api.stack);
});

afterAll(async () => {
  await closeWindows(browser);
  receiver.close();
});

/** A customer with hostile data subscribes and gets emails. */
async function payHostile(): Promise<ResourceObject> {
  const payer = records.get('customers') as ResourceObject;
  const [billing_address, payment_method] = await Promise.all([
    makeAddress(client, {}, { customer: payer }),
    makeMethod(client, 'visa', { customer: payer }),
  ]);
  const relations = { payer, billing_address, payment_method };
  const attributes = { confirmed: true };
  await makeHostile(client, 'payment_subscriptions', { attributes, relations });
  const { id, type } = await makeHostile(client, 'payment_demands', { attributes, relations });
  const isOver = ({ attributes: { status } }: ResourceObject) => status === 'succeeded';
  return eventually(() => client.fetch(type, id), isOver);
}

/** Returns the delivery to an endpoint with its attempts. */
async function waitForDelivery(hook: ResourceObject): Promise<ResourceObject> {
  const isAnswered = ({ attributes }: ResourceObject) => attributes.attempts_count > 0;
  const hookDeliveries = await eventually(
    () => deliveriesOf(client, hook),
    (deliveries) => deliveries.some(isAnswered),
  );
  return hookDeliveries.find(isAnswered) as ResourceObject;
}

/** Records every forbidden action of a page. */
async function watchPage(): Promise<void> {
  page.on('dialog', (dialog) => {
    forbiddenActions.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.context().on('page', (popup) => forbiddenActions.push(`window ${popup.url()}`));
  page.on('framenavigated', (frame) => {
    if (!frame.url().startsWith(`${api.stack.baseUrl}/dashboard/`))
      forbiddenActions.push(`went ${frame.url()}`);
  });
  page.on('request', (request) => {
    const url = request.url();
    // An email shows the merchant's logo, from any origin.
    const isLogo = request.resourceType() === 'image' && request.frame() !== page.mainFrame();
    if (!isLogo && !url.startsWith(api.stack.baseUrl) && !url.startsWith('data:'))
      forbiddenActions.push(`asked ${url}`);
  });
  await page.addInitScript((name) => {
    globalThis.violations = [];
    Reflect.set(globalThis, name, () => globalThis.violations.push('a script ran'));
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      globalThis.violations.push(`refused ${violatedDirective} ${blockedURI}`),
    );
  }, CANARY);
}

interface PageReport {
  readonly problems: readonly string[];
  readonly showsMark: boolean;
}

/**
 * Navigates like a link of the application and inspects the whole page. Runs in the page without globals of its own.
 */
const visit = (path: string): Promise<PageReport> =>
  page.evaluate(
    async ([to, mark]) => {
      const WAITING = 'waiting';
      document.title = WAITING;
      history.pushState({}, '', to);
      const isLoaded = () =>
        document.title !== WAITING &&
        document.querySelector('h1')?.checkVisibility() &&
        !document.querySelector('[aria-busy=true]');
      const end = performance.now() + 20_000;
      // A timer, because each animation frame that is waited for is also drawn.
      while (!isLoaded() && performance.now() < end)
        await new Promise((resolve) => setTimeout(resolve, 10));
      await new Promise(requestAnimationFrame);
      const problems = isLoaded() ? globalThis.violations.splice(0) : ['it did not come'];
      const protocols = ['http:', 'https:', 'mailto:', 'blob:'];
      for (const element of document.querySelectorAll('*')) {
        for (const { name, value } of element.attributes) {
          if (name.startsWith('on')) problems.push(`${element.tagName} has ${name}`);
          const isAddress = ['href', 'src', 'action', 'formaction', 'xlink:href'].includes(name);
          const { protocol } = isAddress ? new URL(value, location.href) : { protocol: 'https:' };
          const isPicture = element.tagName === 'IMG' && protocol === 'data:';
          if (!protocols.includes(protocol) && !isPicture) problems.push(`${name} ${value}`);
        }
        const isScript = element.tagName === 'SCRIPT' && !element.getAttribute('src');
        if (isScript || element.hasAttribute('srcdoc')) problems.push(`a ${element.tagName}`);
        const { target, rel } = element as HTMLAnchorElement;
        if (target === '_blank' && !/noopener/.test(rel)) problems.push('a window with an opener');
      }
      const values = [...document.querySelectorAll('input')].map(({ value }) => value);
      const text = `${document.body.textContent} ${values.join(' ')}`;
      return { problems, showsMark: text.includes(mark) };
    },
    [new URL(`${dashboard.sandbox}${path && `/${path}`}`).pathname + queryOf(path), MARK] as const,
  );

/** Returns what the page's own script gets at an address of the merchant below `/dashboard/api`. */
function read(path: string) {
  const [merchant = '', mode = ''] = new URL(dashboard.sandbox).pathname.split('/').slice(2);
  return page.evaluate(
    async (address) => {
      const response = await fetch(address);
      const headers: Record<string, string> = Object.fromEntries(response.headers);
      return { status: response.status, headers, text: await response.text() };
    },
    `/dashboard/api/${path}?${new URLSearchParams({ merchant, mode })}`,
  );
}

const queryOf = (path: string): string => new URL(path, api.stack.baseUrl).search;

/** Returns the problems of these pages by path, and the pages that show hostile data. */
async function visitAll(paths: readonly string[]) {
  const problemsByPath: Record<string, readonly string[]> = {};
  const markedPaths: string[] = [];
  for (const path of paths) {
    const { problems, showsMark } = await visit(path);
    // A page that waits for more of its code hides its heading for a moment.
    await page.getByRole('heading', { level: 1 }).waitFor();
    const nameProblems = await findNameProblems(page);
    if (nameProblems.length > 0) nameProblemsByPath[path] = nameProblems;
    if (problems.length > 0) problemsByPath[path] = problems;
    if (showsMark) markedPaths.push(path);
  }
  return { problemsByPath, markedPaths, forbidden: forbiddenActions.splice(0) };
}

const listableTypes = (Object.keys(resources) as ResourceType[]).filter((type) =>
  (resources[type].operations as readonly string[]).includes('list'),
);
/** Kinds of cells that a list draws for the fields of a type. */
const cellsOf = (type: ResourceType): readonly string[] =>
  Object.values<Field>(resources[type].fields).map(({ type, members, each }) =>
    [type, members && 'members', each && 'each'].join(),
  );

/** Types whose lists, and whose records' pages, together draw every kind of cell. */
function typesWithAllCells(): readonly ResourceType[] {
  const seenCells = new Set<string>();
  const marked = listableTypes.filter((type) => isMarked(records.get(type)));
  return [...marked, ...listableTypes].filter((type) => {
    const newCells = cellsOf(type).filter((cell) => !seenCells.has(cell));
    for (const cell of newCells) seenCells.add(cell);
    return newCells.length > 0;
  });
}

/** The newest record of every type that has one. */
const fetchNewest = async (type: ResourceType): Promise<ResourceObject | undefined> =>
  (await client.get(`/v2/${type}?page[size]=1`)).body.data[0];

/** Excludes types whose texts only the platform writes, or that do not show texts as sent. */
const isMarked = (record: ResourceObject | undefined): boolean =>
  JSON.stringify(record?.attributes ?? {}).includes(MARK);

/** Many pages each, on a machine that may be busy. */
const LONG_TIMEOUT = { timeout: 180_000 };

describe('hostile texts', LONG_TIMEOUT, () => {
  it('are visible as text', () => {
    const marked = [...records].filter(([, record]) => isMarked(record)).map(([type]) => type);
    expect(marked.length).toBeGreaterThan(18);
  });

  it('do nothing in lists with every kind of cell', async () => {
    const types = typesWithAllCells();
    const { problemsByPath, markedPaths, forbidden } = await visitAll(
      types.map((type) => `records/${type}`),
    );
    expect([problemsByPath, forbidden]).toEqual([{}, []]);
    expect(markedPaths.length).toBeGreaterThan(5);
  });

  it('do nothing on pages of records with every kind of cell, and are shown there', async () => {
    const paths = typesWithAllCells().flatMap((type) => {
      const record = records.get(type);
      return record && isMarked(record) ? [`records/${type}/${record.id}`] : [];
    });
    expect(paths.length).toBeGreaterThan(7);
    const { problemsByPath, markedPaths, forbidden } = await visitAll(paths);
    expect([problemsByPath, forbidden]).toEqual([{}, []]);
    expect(markedPaths).toEqual(paths);
  });

  // Without the pages that show no text of a merchant or payer.
  it('do nothing on pages made for one type', async () => {
    const idOf = (type: ResourceType) => records.get(type)?.id;
    const lists = ['', 'payments', 'subscriptions', 'payment-links', 'disputes', 'risk'];
    const [event, request] = await Promise.all(
      (['events', 'api_requests'] as const).map(fetchNewest),
    );
    const { problemsByPath, forbidden, markedPaths } = await visitAll([
      ...lists,
      ...['team', 'audit', 'business', 'alerts', 'red-flags', 'setup'],
      ...['keys', 'webhooks', 'deliveries', 'requests'].map((name) => `developers/${name}`),
      `payments/${payment.id}`,
      `subscriptions/${idOf('payment_subscriptions')}`,
      `payment-links/${idOf('payment_links')}`,
      `disputes/${idOf('disputes')}`,
      `developers/keys/${idOf('merchant_tokens')}`,
      `developers/webhooks/${idOf('webhook_subscriptions')}`,
      `developers/deliveries/${delivery.id}`,
      `developers/events/${event?.id}`,
      `developers/requests/${request?.id}`,
    ]);
    expect([problemsByPath, forbidden]).toEqual([{}, []]);
    expect(markedPaths).toEqual(expect.arrayContaining(['payments', `payments/${payment.id}`]));
  });

  it('do nothing in the operator console', async () => {
    const merchant = new URL(dashboard.sandbox).pathname.split('/')[2];
    const { problemsByPath, forbidden } = await visitAll(
      ['merchants', `merchants/${merchant}`, 'reviews', 'unknown', 'exceptions'].map(
        (name) => `../../operator/${name}`,
      ),
    );
    expect([problemsByPath, forbidden]).toEqual([{}, []]);
  });

  it('do nothing in an email and its preview', async () => {
    const isHostile = ({ attributes }: ResourceObject) => attributes.html?.includes(MARK);
    const emails = await waitForEmails(client, 'filter[status]=kept', (keptEmails) =>
      keptEmails.some(isHostile),
    );
    const id = emails.find(isHostile)?.id;
    const { problemsByPath, forbidden } = await visitAll([`developers/emails/${id}`]);
    expect([problemsByPath, forbidden]).toEqual([{}, []]);
    const emailFrame = page.frameLocator('iframe');
    await emailFrame.locator('body').getByText(MARK).first().waitFor();
    const activeElements = emailFrame.locator(
      'script, iframe, form, svg, [onerror], [onload], [href^=java]',
    );
    expect(await activeElements.count()).toBe(0);
    const { status, headers } = await read(`emails/${id}/page`);
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    const policy = headers['content-security-policy'];
    expect(policy).toMatch(/^default-src 'none'; .*sandbox; frame-ancestors 'self'$/);
    expect(policy).not.toContain('script-src');
  });

  it('leave each control of these pages a name of its own', () => {
    expect(nameProblemsByPath).toEqual({});
  });

  it('are noticed if a page treats them as markup', async () => {
    await page.evaluate((name) => {
      const html = `<p id="planted"><img src="data:x" onerror="${name}()"><a href="javascript:${name}()">x</a></p>`;
      document.body.insertAdjacentHTML('beforeend', html);
    }, CANARY);
    const { problems } = await visit('records');
    await page.evaluate(() => document.querySelector('#planted')?.remove());
    expect(problems).toContain('refused script-src-attr inline');
    expect(problems).toContain('IMG has onerror');
    expect(problems.join()).toContain('href javascript:');
  });
});

describe('a script in the page', () => {
  it('finds neither the session nor a key', async () => {
    await dashboard.go('developers/keys');
    await page.getByRole('button', { name: 'Create key' }).first().click();
    await page.getByRole('dialog').getByLabel('Name').fill('Till');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    const keyText = page.getByRole('status').locator('code').first();
    const key = (await keyText.textContent()) ?? '';
    expect(key).toMatch(/^ept_sandbox_s/);
    const [cookie] = await page.context().cookies(api.stack.baseUrl);
    expect([cookie?.httpOnly, cookie?.sameSite]).toEqual([true, 'Strict']);
    const storages = await page.evaluate(async () => [
      document.cookie,
      JSON.stringify({ ...localStorage, ...sessionStorage }),
      JSON.stringify(history.state),
      (await indexedDB.databases()).map(({ name }) => name).join(),
      (await caches.keys()).join(),
      (await navigator.serviceWorker.getRegistrations()).join(),
    ]);
    const [cookies, webStorage, state, ...otherStorages] = storages;
    expect([cookies, otherStorages]).toEqual(['', ['', '', '']]);
    for (const secret of [key, cookie?.value ?? 'none'])
      expect(`${webStorage}${state}`).not.toContain(secret);
    expect(webStorage).not.toMatch(/ept_|session"|password/);
  });

  it('no formula reaches a downloaded table', async () => {
    await client.make('customers', { email: 'ada@example.com', name: '=cmd|calc!A0' });
    const { status, text: table } = await read('exports/customers.csv');
    expect([status, table.includes(",'=cmd|calc!A0,")]).toEqual([200, true]);
    expect(table).not.toContain(',=cmd');
  });
});
