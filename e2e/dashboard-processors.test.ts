import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSimulator } from '@florin/dev-env/parts.ts';
import { type Stack, startStack } from '@florin/dev-env/stack.ts';
import { openDatabase } from '@florin/server/platform/database/db.ts';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectVisible } from './support/appears.ts';
import { closeWindows, getSharedBrowser } from './support/browser.ts';
import { choose } from './support/choose.ts';
import { type DashboardPage, follow, openDashboard } from './support/dashboard.ts';
import { inspectOnPhone } from './support/passes-on-phone.ts';
import { paymentApi } from './support/payment-api.ts';

const CHANNEL = 'pc_aaaaaaaaaaaaaaaaaaaaaaaaaa';
const SECRET_KEY = 'sk_sbox_abcdefghijklmnopqrstuvwxyz2';
const NEW_KEY = SECRET_KEY.replace('abc', 'bca');
const NETWORK = 'Simulated network';
/** An amount that the simulated network disputes as soon as it is captured. */
const DISPUTED_CENTS = 19_708;
const LONG_TIMEOUT = { timeout: 240_000 };

const cleanup = new AsyncDisposableStack();
let browser: Browser;
let stack: Stack;
let dashboard: DashboardPage;
let page: Page;
/** Address of the stand-in of Checkout.com. */
let apiUrl: string;

beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'florin-console-'));
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
  const simulator = cleanup.use(await startSimulator(dataDir, 0));
  apiUrl = `${simulator.url}/checkout-com`;
  await openChannel(SECRET_KEY);
  stack = cleanup.use(await startStack({ egress: [simulator.url] }));
  browser = await getSharedBrowser();
  dashboard = await openDashboard(browser, stack);
  ({ page } = dashboard);
}, 240_000);
afterAll(async () => {
  await closeWindows(browser);
  await cleanup.disposeAsync();
});

/** Gives the channel at the stand-in a key, and revokes the one before. */
async function openChannel(secret_key: string): Promise<void> {
  const opened = await fetch(`${apiUrl}/control/accounts/${CHANNEL}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secret_key }),
  });
  expect(opened.ok).toBe(true);
}

/** Makes a sandbox payment with a dispute, which then belongs to an account. Returns the dispute's id. */
async function makeDisputeAt(account: string): Promise<string> {
  const payments = paymentApi(stack);
  await payments.pay({ amount_cents: DISPUTED_CENTS });
  const find = async () => (await payments.list('disputes', { 'page[size]': '1' }))[0]?.id;
  await expect.poll(find, { timeout: 30_000 }).toBeDefined();
  const id = (await find()) as string;
  await query('update disputes set processor_account_id = $1 where id = $2', [account, id]);
  return id;
}

async function query(sql: string, values: (string | null)[]): Promise<void> {
  await using db = openDatabase({ url: stack.databaseUrl, connections_max: 1 });
  await db.query(sql, values);
}

/** Stores a settlement report of an account with two rows that no payment explains, and one that waits. */
async function storeReport(account: string, name: string): Promise<void> {
  await query(
    `with report as (insert into processor_reports
       (id, processor_account_id, mode, name, location, status, created_at, updated_at)
       values (gen_random_uuid(), $1, 'sandbox', $2, $2, 'compared', now(), now()) returning id)
     insert into processor_report_lines (report_id, line, processor_account_id, mode, kind, batch, outcome)
     select id, line, $1, 'sandbox', 'capture', 'P1', case when line < 3 then 'unmatched' end
     from report, generate_series(1, 3) line`,
    [account, name],
  );
}

const open = (path: string) => follow(page, `${stack.baseUrl}/dashboard/operator/${path}`);
const button = (name: string, within: Page | Locator = page) =>
  within.getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog');
const main = () => page.locator('main');

describe('an operator', LONG_TIMEOUT, () => {
  it('adds an account, whose wrong fields are named, and nobody sees its key again', async () => {
    await open('processors');
    await page.getByText('No processor accounts').waitFor();
    await page.getByRole('link', { name: 'Add account' }).click();
    await page.getByText('Adyen', { exact: true }).click();
    await page.getByRole('combobox', { name: 'Several captures' }).click();
    await page.getByRole('option', { name: 'Yes', exact: true }).click();
    await page.getByText('Checkout.com', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Europe');
    await page.getByLabel('API base URL').fill('checkout.com');
    await page.getByLabel('Processing channel').fill(CHANNEL);
    await button('Add account').click();
    await page.getByText('The processor uses another format, such as https').waitFor();
    await page.getByText('Enter a value.').waitFor();
    await inspectOnPhone(page);
    await page.getByLabel('API base URL').fill(apiUrl);
    await page.getByRole('textbox', { name: 'Secret key' }).fill(SECRET_KEY.replace('abc', 'cba'));
    await button('Add account').click();
    await page.getByRole('heading', { level: 1, name: 'Europe' }).waitFor();
    await expectVisible(main().getByText('takes no payments yet. Check the credentials'));
    await expectVisible(main().getByText(/\/notifications\/[0-9a-f-]{36}$/));
    expect(await main().textContent()).not.toContain('sk_sbox');
  });

  it('checks it, replaces its key and enables it', async () => {
    await button('Check').click();
    await main().getByText('refused the credentials').first().waitFor();
    await page.getByRole('button', { name: 'Replace: Secret key' }).click();
    await dialog().getByRole('textbox', { name: 'Secret key' }).fill(SECRET_KEY);
    await button('Save', dialog()).click();
    await page.getByText('Secret key: stored.').waitFor();
    await button('Enable').click();
    await button('Enable', dialog()).click();
    await page.getByText('Europe takes payments.').waitFor();
    await expectVisible(main().getByText('No rule names this account.'));
    await inspectOnPhone(page);
  });

  it('reads that its notifications are refused, and what to do', async () => {
    const address = await main()
      .getByText(/\/notifications\/[0-9a-f-]{36}$/)
      .textContent();
    expect((await fetch(address as string, { method: 'POST', body: '{}' })).status).toBe(401);
    await expect
      .poll(async () => {
        await open('processors');
        await main().getByRole('link', { name: 'Europe' }).waitFor();
        await page.reload();
        await main().getByRole('link', { name: 'Europe' }).waitFor();
        return main().getByText('Check the signature key.').count();
      })
      .toBe(1);
    await main().getByRole('link', { name: 'Europe' }).click();
    await expectVisible(main().getByText('Check the signature key.'));
    await expectVisible(main().getByText('The signature is missing.'));
    await inspectOnPhone(page);
  });

  it('restricts it', async () => {
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await choose(page.getByRole('combobox', { name: 'Currencies' }), 'EUR', 'EUR – Euro');
    await page.keyboard.press('Escape');
    await button('Save').click();
    await page.getByRole('heading', { level: 1, name: 'Europe' }).waitFor();
    await expectVisible(main().getByText('EUR', { exact: true }));
    await expectVisible(main().getByText('Changed: Currencies', { exact: true }));
  });

  it('gives it payments by rules, which move with the keyboard, and previews the route', async () => {
    await open('routing?mode=sandbox');
    for (const name of ['Rest', 'Euros']) {
      await button('Add rule').click();
      await dialog().getByLabel('Name of the rule').fill(name);
      const account = name === 'Rest' ? NETWORK : 'Europe';
      await choose(dialog().getByRole('combobox', { name: 'Accounts' }), account, account);
      if (name === 'Euros') {
        await choose(dialog().getByRole('combobox', { name: 'Accounts' }), NETWORK, NETWORK);
        await page.keyboard.press('Escape');
        await dialog().getByLabel('Smallest amount').fill('5.00');
      }
      await button('Apply', dialog()).click();
    }
    await button('Move Euros up').focus();
    await page.keyboard.press('Enter');
    await expectVisible(main().getByText('1. Euros'));
    await expectVisible(main().getByText('from 5.00 with two decimals'));
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.ariaLabel))
      .toBe('Move Euros up');
    await button('Save rules').click();
    await page.getByText('Rules saved.').waitFor();
    await button('Preview').click();
    await expectVisible(main().getByText('Europe takes the payment'));
    await expectVisible(main().getByText(`Then ${NETWORK}, if the first cannot be reached.`));
    await inspectOnPhone(page);
    await choose(page.getByRole('combobox', { name: 'Currency' }), 'USD', 'USD – US Dollar');
    await button('Preview').click();
    await expectVisible(main().getByText('Europe: it does not take the currency'));
  });

  it('reads that the processor refuses its key, since when, and what to do', async () => {
    await openChannel(NEW_KEY);
    const payment = { amount_cents: 700, amount_currency: 'EUR' };
    await paymentApi(stack).pay(payment);
    await open('health');
    await page.reload();
    await expectVisible(main().getByText('Processors refuse the keys of accounts'));
    await expectVisible(main().getByText('1 message refused since'));
    await inspectOnPhone(page);
    await main().getByRole('link', { name: 'Europe' }).click();
    await expectVisible(main().getByText('The processor refuses the key.'));
    await expectVisible(main().getByText('1 message was refused with status 401'));
    await inspectOnPhone(page);
    await page.getByRole('button', { name: 'Replace: Secret key' }).click();
    await dialog().getByRole('textbox', { name: 'Secret key' }).fill(NEW_KEY);
    await button('Save', dialog()).click();
    await expect.poll(() => main().getByText('The processor refuses the key.').count()).toBe(0);
  });

  it('reads its settlement reports without scrolling, and the numbers of rows on their pages', async () => {
    const account = page.url().split('/').at(-1) as string;
    await storeReport(account, 'settlement_detail_report_2026_11_26_batch_1042.csv');
    await open('reports');
    await main()
      .getByRole('link', { name: /batch_1042/ })
      .waitFor();
    const last = await page.getByRole('columnheader').last().boundingBox();
    expect((last?.x ?? Number.NaN) + (last?.width ?? 0)).toBeLessThanOrEqual(1_280);
    await expectVisible(main().getByText('Unclear', { exact: true }).first());
    await inspectOnPhone(page);
    await main()
      .getByRole('link', { name: /batch_1042/ })
      .click();
    await page.getByRole('heading', { level: 1, name: /batch_1042/ }).waitFor();
    const factOf = (term: string) =>
      main()
        .locator('dt', { hasText: new RegExp(`^${term}$`) })
        .locator('xpath=following::dd[1]');
    for (const [term, value] of [
      ['Rows', '3'],
      ['Settled', '0'],
      ['Waiting', '1'],
      ['Unclear', '2'],
    ])
      expect(await factOf(term as string).textContent()).toBe(value);
    await inspectOnPhone(page);
  });

  it('does not overwrite the rules of another operator', async () => {
    await open('routing?mode=sandbox');
    await button('Delete Rest').click();
    const saved = await page.evaluate(async () => {
      const address = '/dashboard/api/operator/routing/sandbox';
      const { data } = await (await fetch(address)).json();
      const rules = data.map(({ mode: _, ...rule }: { mode: string }) => rule);
      const headers = { 'content-type': 'application/json', 'florin-dashboard': '1' };
      const body = JSON.stringify({ rules: [rules[0]] });
      return (await fetch(address, { method: 'PUT', headers, body })).status;
    });
    expect(saved).toBe(204);
    await button('Save rules').click();
    await page.getByText('Another operator changed the rules').waitFor();
    await button('Discard').click();
    await expect.poll(() => main().getByText('Rest').count()).toBe(0);
    await expectVisible(main().getByText('1. Euros'));
  });

  it('pauses it, and removes it', async () => {
    await open('processors');
    await main().getByRole('link', { name: 'Europe' }).click();
    await button('Pause').click();
    await button('Pause', dialog()).click();
    await page.getByText('Europe is paused.').waitFor();
    await button('Remove').click();
    await dialog().getByText('The vault destroys the secrets.').waitFor();
    await button('Remove', dialog()).click();
    await page.getByText('Europe is removed.').waitFor();
    await expectVisible(main().getByText('its secrets are destroyed'));
    await expectVisible(main().getByText('Destroyed', { exact: true }).first());
    expect(
      await main()
        .getByText(/^(?:Stored|Last check)$/)
        .count(),
    ).toBe(0);
    expect(dashboard.consoleErrors).toEqual([]);
  });

  it('closes a dispute of the removed account with the outcome that the processor shows', async () => {
    const account = page.url().split('/').at(-1) as string;
    const dispute = await makeDisputeAt(account);
    await open('disputes');
    await expectVisible(main().getByText('removed', { exact: true }));
    await inspectOnPhone(page);
    await button('Close dispute').click();
    await dialog().getByLabel('Lost: the payer has the money back').check();
    await dialog().getByLabel('Reason').fill('Lost in the dashboard of Checkout.com');
    await button('Close dispute', dialog()).click();
    await expectVisible(main().getByText('No dispute needs an operator'));
    await query('update disputes set second_chargeback_at = closed_at where id = $1', [dispute]);
    await follow(page, `${dashboard.sandbox}/disputes/${dispute}`);
    await expectVisible(page.getByRole('alert').getByText('Lost after a second chargeback'));
    await inspectOnPhone(page);
  });

  it('reads that no notification needs a decision', async () => {
    await open('notifications');
    await expectVisible(page.getByText('No notifications need a decision'));
    await inspectOnPhone(page);
  });
});
