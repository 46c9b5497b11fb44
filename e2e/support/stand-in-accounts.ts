import { randomUUID } from 'node:crypto';
import type { Stack } from '@florin/dev-env/stack.ts';
import type { Page } from 'playwright-core';

/** A stand-in of a processor, and the account that Florin gets at it. */
interface StandIn {
  readonly processor: string;
  /** Address of the stand-in. */
  readonly url: string;
  /** Name of the account in Florin. */
  readonly name: string;
  /** Name of the account at the stand-in. */
  readonly at: string;
  /** Settings of the account at the stand-in. */
  readonly books: object;
  /** Settings in Florin without `api_url`. */
  readonly settings: object;
  readonly secrets: object;
}

/** Calls the control surface of a stand-in. Returns the response's JSON, if there is any. */
export async function command(
  url: string,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const response = await fetch(`${url}/control${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

/** Sends an operator's request with the session of a signed-in window. */
export async function asOperator(
  page: Page,
  { baseUrl }: Pick<Stack, 'baseUrl'>,
  [method, path, data]: readonly [method: 'POST' | 'PUT', path: string, data: object],
): Promise<{ readonly data: { readonly id: string } }> {
  const url = `${baseUrl}/dashboard/api/operator${path}`;
  const headers = {
    'florin-dashboard': '1',
    origin: new URL(baseUrl).origin,
    'idempotency-key': randomUUID(),
  };
  const response = await page.context().request.fetch(url, { method, headers, data });
  const text = await response.text();
  if (!response.ok()) throw new Error(`${path}: ${response.status()} ${text}`);
  return text === '' ? { data: { id: '' } } : JSON.parse(text);
}

/** Opens an account at a stand-in, which notifies Florin, and enables it in the sandbox. Returns the account's id. */
export async function connectStandIn(
  page: Page,
  stack: Pick<Stack, 'baseUrl'>,
  { processor, url, name, at, books, settings, secrets }: StandIn,
): Promise<string> {
  await command(url, 'PUT', `/accounts/${at}`, books);
  const fields = { processor, mode: 'sandbox', name, settings: { api_url: url, ...settings } };
  const created = await asOperator(page, stack, [
    'POST',
    '/processor_accounts',
    { ...fields, secrets },
  ]);
  const { id } = created.data;
  await asOperator(page, stack, ['POST', `/processor_accounts/${id}/enable`, {}]);
  const webhook_url = `${stack.baseUrl}/notifications/${id}`;
  await command(url, 'PUT', `/accounts/${at}`, { ...books, webhook_url });
  return id;
}
