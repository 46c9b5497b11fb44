import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useOwnStack } from '../packages/server/tests/support/api.ts';
import { signIn } from '../packages/server/tests/support/browser.ts';
import {
  type AwayCell,
  chooseRouterPlaces,
  startBehindRouter,
} from '../packages/server/tests/support/cells-behind-router.ts';
import { post } from '../packages/server/tests/support/people.ts';
import { expectVisible } from './support/appears.ts';
import { closeWindows, getSharedBrowser } from './support/browser.ts';
import { type DashboardPage, openDashboard } from './support/dashboard.ts';

const places = await chooseRouterPlaces();
const api = useOwnStack({ config: { ...places.addresses, port: places.home } });
const cleanup = new AsyncDisposableStack();
let dashboard: DashboardPage;
let page: Page;
let away: AwayCell;
let merchant: string;

beforeAll(async () => {
  away = await startBehindRouter(api, places, cleanup);
  const operator = await signIn(places.addresses.public_url, api.stack.credentials.account);
  const opening = { business_name: 'Far Away Ltd' };
  merchant = (await post(operator, 'merchants', opening, { 'florin-cell': 'away' })).body.id;
  dashboard = await openDashboard(await getSharedBrowser(), api.stack);
  ({ page } = dashboard);
});
afterAll(async () => {
  await closeWindows(await getSharedBrowser());
  await cleanup.disposeAsync();
});

const list = (): Promise<unknown> =>
  page.goto(`${places.addresses.public_url}/dashboard/operator/merchants`);
const row = (name: string) => page.getByRole('link', { name });

it('a person works with a merchant of another cell at the address of the router', async () => {
  await page.goto(`${places.addresses.public_url}/dashboard/${merchant}/sandbox/payments`);
  await expectVisible(page.getByRole('heading', { level: 1, name: 'Payments' }));
  await expectVisible(page.getByText('Far Away Ltd').first());
});

it('a page of the operator console that shows one cell only names it, and a list of all names none', async () => {
  await page.goto(`${places.addresses.public_url}/dashboard/operator/health`);
  await expectVisible(page.getByText('shows the cell home only'));
  await list();
  await expectVisible(row('Far Away Ltd'));
  expect(await page.getByText('shows the cell').count()).toBe(0);
});

it('the operator console lists merchants of both cells, and names a cell that is down', async () => {
  await list();
  await expectVisible(row('Far Away Ltd'));
  await row('Far Away Ltd').click();
  await expectVisible(page.getByRole('heading', { level: 1, name: 'Far Away Ltd' }));
  await away.server[Symbol.asyncDispose]();
  await list();
  await expectVisible(page.getByRole('alert').filter({ hasText: /do not answer.*: away$/ }));
  expect(await row('Far Away Ltd').count()).toBe(0);
  expect(dashboard.consoleErrors).toEqual([]);
});
