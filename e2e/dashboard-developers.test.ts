import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Stack, startStack } from '@florin/dev-env/stack.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violationsIn } from './support/axe.ts';
import { launchBrowser } from './support/browser.ts';
import { cardOf } from './support/cards.ts';
import { type DashboardPage, openDashboard } from './support/dashboard.ts';

let stack: Stack;
let browser: Browser;
let dashboard: DashboardPage;
let page: Page;

beforeAll(async () => {
  [stack, browser] = await Promise.all([startStack(), launchBrowser()]);
  dashboard = await openDashboard(browser, stack);
  ({ page } = dashboard);
});

afterAll(async () => {
  await browser.close();
  await stack[Symbol.asyncDispose]();
});

const PATIENCE = { timeout: 30_000 };
const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog');
const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

/** Makes a secret key that may do everything, and reads it where it is shown. */
async function newSecretKey(name: string): Promise<string> {
  await dashboard.go('developers/keys');
  await button('New key').click();
  await dialog().getByLabel('Name').fill(name);
  await dialog().getByRole('button', { name: 'Make the key' }).click();
  const shown = page.getByRole('status').filter({ hasText: name });
  return (await shown.locator('code').textContent()) ?? '';
}

/** A port that nobody has. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0);
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

/** The shop that the snippets make, where they are pasted as they are. */
async function pasteSnippets(secret_key: string) {
  await dashboard.go('developers/snippet');
  await button('Make one').click();
  await page.getByText("new Florin('ept_sandbox_b").waitFor();
  const folder = mkdtempSync(join(tmpdir(), 'florin-snippet-'));
  for (const file of ['index.html', 'server.mjs']) {
    const text = await page.getByRole('region', { name: file }).textContent();
    writeFileSync(join(folder, file), text ?? '');
  }
  const port = await freePort();
  const server: ChildProcess = spawn(process.execPath, [join(folder, 'server.mjs')], {
    env: { FLORIN_SECRET_KEY: secret_key, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(server.stdout!, 'data');
  return {
    url: `http://localhost:${port}/`,
    async [Symbol.asyncDispose]() {
      server.kill();
      await once(server, 'exit');
      rmSync(folder, { recursive: true });
    },
  };
}

/** Pays in the form that the pasted page has. */
async function payAt(url: string): Promise<void> {
  const shop = await page.context().newPage();
  await shop.goto(url);
  const form = shop.frameLocator('#payment-form iframe');
  const { number, cvv } = cardOf('visa');
  await form.locator('#number').pressSequentially(number);
  await form.locator('#expiry').pressSequentially('12/39');
  await form.locator('#cvv').pressSequentially(cvv);
  await form.getByLabel('Address', { exact: true }).fill('1 Main Street');
  await form.getByLabel('Postal code').fill('10001');
  await form.getByLabel('City').fill('New York');
  await form.getByLabel('State or province').fill('NY');
  await expect
    .poll(async () => {
      await form
        .locator('button.pay')
        .click({ timeout: 2_000 })
        .catch(() => undefined);
      return shop.locator('#payment-result').textContent();
    }, PATIENCE)
    .toContain('Paid');
  await shop.close();
}

/** Takes what is sent to it. */
async function startReceiver(): Promise<Server> {
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200, { 'x-shop': 'roses' }).end('thanks'));
  }).listen(0);
  await once(receiver, 'listening');
  return receiver;
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

describe('a developer', () => {
  it('makes keys, pastes the snippet, takes a payment, and sees its webhook', async () => {
    const receiver = await startReceiver();
    await dashboard.go('developers/webhooks');
    await button('New webhook').first().click();
    await dialog()
      .getByLabel('URL')
      .fill(`http://localhost:${portOf(receiver)}/hook`);
    await dialog().getByLabel('transaction.payment_demands.succeeded', { exact: true }).check();
    await dialog().getByRole('button', { name: 'Create' }).click();
    await heading('/hook');
    const subscription = page.url();

    const secret_key = await newSecretKey('Warehouse');
    expect(secret_key).toMatch(/^ept_sandbox_s/);
    await using shop = await pasteSnippets(secret_key);
    await payAt(shop.url);

    await page.goto(subscription);
    const deliveries = page.getByRole('table', { name: 'Deliveries' });
    await expect
      .poll(async () => {
        await page.reload();
        await deliveries.waitFor();
        return deliveries.textContent();
      }, PATIENCE)
      .toContain('Delivered');
    await deliveries.getByRole('link').first().click();
    await heading('transaction.payment_demands.succeeded');
    await page.getByRole('region', { name: 'Attempts' }).locator('summary').click();
    await page.getByText('"x-shop": "roses"').waitFor();
    expect(await violationsIn(page.mainFrame())).toEqual([]);
    receiver.close();
  });

  it('finds a request in the log, without what it told of a person', async () => {
    await dashboard.go('developers/requests?filter[route]=/v2/customers');
    await page.getByRole('table', { name: 'API requests' }).getByRole('link').first().click();
    await heading('POST /v2/customers');
    const sent = page.getByRole('region', { name: 'What was sent, as JSON' });
    expect(await sent.textContent()).toContain('"email": "[masked]"');
    expect(await page.locator('main').textContent()).not.toContain('Lovelace');
    await page.getByText('curl --globoff -X POST').waitFor();
    expect(await violationsIn(page.mainFrame())).toEqual([]);
  });

  it('rotates a key and revokes it: the old one works beside the new one, then neither', async () => {
    const works = async (key: string) =>
      (
        await fetch(`${stack.baseUrl}/v2/customers`, {
          headers: { authorization: `Bearer ${key}`, 'user-agent': 'e2e/1' },
        })
      ).status;
    const old = await newSecretKey('Till');
    await page.getByRole('link', { name: 'Till' }).click();
    await heading('Till');
    await button('Rotate').click();
    await dialog().getByRole('button', { name: 'Rotate', exact: true }).click();
    const shown = page.getByRole('status').filter({ hasText: 'Till' });
    const next = (await shown.locator('code').textContent()) ?? '';
    expect(next).not.toBe(old);
    expect([await works(old), await works(next)]).toEqual([200, 200]);
    await button('Revoke').click();
    await dialog().getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByText('The key is revoked.').waitFor();
    expect([await works(old), await works(next)]).toEqual([401, 200]);
  });

  it('triggers an event, lets time pass, reads a letter, and empties the sandbox', async () => {
    await dashboard.go('developers/sandbox?tool=triggers');
    await page
      .getByLabel('Event', { exact: true })
      .selectOption('transaction.payment_demands.succeeded');
    await button('Trigger').click();
    const told = page.getByRole('status').filter({ hasText: 'It has happened' });
    await told.getByText('transaction.payment_demands.succeeded').waitFor();

    await page.getByRole('tab', { name: 'Clocks' }).click();
    await button('New clock').click();
    await dialog().getByRole('button', { name: 'Create' }).click();
    await button('31 days on').click();
    await expect.poll(() => button('31 days on').isEnabled(), PATIENCE).toBe(true);

    await page.getByRole('tab', { name: 'Mailbox' }).click();
    await page.getByRole('table', { name: 'Mailbox' }).getByRole('link').first().click();
    const letter = page.frameLocator('iframe[title="As its reader sees it"]');
    await letter.getByText('$25.00').first().waitFor();
    expect(await violationsIn(page.mainFrame())).toEqual([]);

    await dashboard.go('developers/sandbox?tool=reset');
    expect(await button('Reset the sandbox').isDisabled()).toBe(true);
    await page.getByLabel('Type “reset sandbox” to confirm').fill('reset sandbox');
    await button('Reset the sandbox').click();
    await page.getByText(/records so far|reset removed/).waitFor();
    expect(dashboard.complaints).toEqual([]);
  });

  it.each(['keys', 'snippet', 'sandbox', 'sandbox?tool=clocks'])(
    'finds developers/%s without a flaw in its accessibility',
    async (path) => {
      await dashboard.go(`developers/${path}`);
      expect(await violationsIn(page.mainFrame())).toEqual([]);
    },
  );
});
