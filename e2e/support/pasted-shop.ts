import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from '@florin/dev-env/start-processes.ts';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { cardOf } from './cards.ts';
import type { MerchantPages } from './dashboard.ts';

const LONG_TIMEOUT = { timeout: 120_000 };

/** Creates a secret key with all permissions on the dashboard's page and returns it. */
export async function createSecretKey({ page, go }: MerchantPages, name: string): Promise<string> {
  await go('developers/keys');
  await page.getByRole('button', { name: 'Create key', exact: true }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const keyNotice = page.getByRole('status').filter({ hasText: name });
  return (await keyNotice.locator('code').textContent()) ?? '';
}

/** A merchant's own site, in a process of its own. */
export interface PastedShop extends AsyncDisposable {
  readonly url: string;
}

/** Starts a shop from the unchanged snippets of the dashboard: a page, and a server with the secret key. */
export async function pasteSnippets(
  { page, go }: MerchantPages,
  secret_key: string,
): Promise<PastedShop> {
  await go('developers/snippet');
  await page.getByRole('button', { name: 'Create key', exact: true }).click();
  await page.getByText("new Florin('ept_sandbox_b").waitFor();
  const folder = mkdtempSync(join(tmpdir(), 'florin-snippet-'));
  for (const file of ['index.html', 'server.mjs']) {
    writeFileSync(join(folder, file), await copySnippet(page, file));
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

/** Presses the copy button of a code block and returns the clipboard's content. */
async function copySnippet(page: Page, title: string): Promise<string> {
  const codeText = (await page.getByRole('region', { name: title }).textContent()) ?? '';
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: new RegExp(`^Copy .*${title}`) }).click();
  const readClipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(readClipboard, LONG_TIMEOUT).toBe(codeText);
  return codeText;
}

/** Pays with a test card in the form of the pasted page. */
export async function payAt({ page }: MerchantPages, url: string): Promise<void> {
  const shop = await page.context().newPage();
  await shop.goto(url);
  const form = shop.frameLocator('#payment-form iframe');
  const { number, cvv } = cardOf('visa');
  await form.locator('#number').fill(number);
  await form.locator('#expiry').fill('12/39');
  await form.locator('#cvv').fill(cvv);
  await form.getByLabel('Address', { exact: true }).fill('1 Main Street');
  await form.getByLabel('Postal code').fill('10001');
  await form.getByLabel('City').fill('New York');
  await form.getByLabel('State or province').selectOption('NY');
  // The form accepts keys at once, but pointers only after the button was visible for a moment.
  await form.locator('button.pay').press('Enter');
  await expect
    .poll(() => shop.locator('#payment-result').textContent(), LONG_TIMEOUT)
    .toContain('Paid');
  await shop.close();
}

/** A merchant's webhook endpoint. */
export interface Receiver extends AsyncDisposable {
  readonly url: string;
  /** Received bodies in order. */
  readonly bodies: readonly string[];
}

/** Starts a webhook endpoint that accepts all messages. */
export async function startReceiver(): Promise<Receiver> {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    bodies.push(await text(request));
    response.writeHead(200, { 'x-shop': 'roses' }).end('thanks');
  }).listen(0);
  await once(server, 'listening');
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/hook`,
    bodies,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
