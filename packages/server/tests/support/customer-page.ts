import { expect } from 'vitest';
import { type Client, documentOf, type ResourceObject } from './client.ts';
import type { FormServer } from './form.ts';
import { makeParties, makeSubscription } from './make.ts';
import { rawRequest } from './raw-request.ts';

export interface PageAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Creates an active monthly subscription with a paid first period. */
export const makePaidSubscription = async (
  client: Client,
  attributes: object = {},
): Promise<ResourceObject> =>
  makeSubscription(
    client,
    { confirmed: true, description: 'A rose a month', ...attributes },
    await makeParties(client),
  );

/** Creates a link to the customer's page through the API. Returns its path. */
export async function createCustomerLink(
  client: Client,
  { id }: { id: string },
  attributes?: object,
): Promise<string> {
  const type = 'payment_subscriptions';
  const { status, body } = await client.send(
    'PATCH',
    `/v2/${type}/${id}/customer_link`,
    attributes && documentOf(type, attributes, {}, id),
  );
  expect(status).toBe(200);
  return new URL(body.data.meta.customer_url).pathname;
}

/** Requests a page like a browser. */
export const getPage = (
  { payUrl }: FormServer,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<PageAnswer> =>
  rawRequest(payUrl, { path, headers: { host: new URL(payUrl).host, ...headers } });

/** Replaced fields and headers of a submitted form, and its page. */
export interface SubmitOptions {
  readonly fields?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** HTML of the page, if already loaded. */
  readonly page?: string;
}

/** Submits the form of a page's action with the page's fields. */
export async function submitForm(
  server: FormServer,
  path: string,
  action: string,
  { fields = {}, headers = {}, page }: SubmitOptions = {},
): Promise<PageAnswer> {
  const text = page ?? (await getPage(server, path)).text;
  const hiddenFields = [...text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(
    ([, name, value]): [string, string] => [name as string, value as string],
  );
  if (hiddenFields.length === 0) throw new Error('the page has no form');
  return rawRequest(server.payUrl, {
    method: 'POST',
    path: `${path}/${action}`,
    headers: {
      host: new URL(server.payUrl).host,
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'null',
      'sec-fetch-site': 'same-origin',
      ...headers,
    },
    body: new URLSearchParams({ ...Object.fromEntries(hiddenFields), ...fields }).toString(),
  });
}

/** Loads the page that follows a form submission. Returns its message as text. */
export async function readNoticeAfter(server: FormServer, answer: PageAnswer): Promise<string> {
  expect(answer.status).toBe(303);
  const { text } = await getPage(
    server,
    (answer.headers.get('location') ?? '').split('#')[0] ?? '',
  );
  return /<p id="message"[^>]*>([^<]*)</.exec(text)?.[1] ?? '';
}
