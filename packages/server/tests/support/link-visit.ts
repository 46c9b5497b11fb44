import type { VerifyAnswer } from '@florin/contract/protocol/frame.ts';
import type { ResourceObject } from './client.ts';
import { answerOf, callPay, type FormServer, mountForm, sealCard } from './form.ts';
import { rawRequest } from './raw-request.ts';

/** Data that a payer enters on a link's page. */
export const payerDetails = { email: 'grace@example.com', name: 'Grace' };
const berlinAddress = {
  line_1: 'Hauptstraße 1',
  city: 'Berlin',
  state: '',
  zip: '10115',
  country: 'DE',
};

/** A response to a payer on a link's pages. */
export interface PageAnswer {
  readonly status: number;
  readonly html: string;
  readonly headers: Headers;
}

/** Path of a link's page. */
export const pathOf = ({ attributes }: ResourceObject): string => new URL(attributes.url).pathname;

/** Sends a request as a browser would, optionally with a form. */
export async function browse(
  { payUrl }: FormServer,
  path: string,
  form?: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<PageAnswer> {
  const answer = await rawRequest(payUrl, {
    method: form ? 'POST' : 'GET',
    path,
    headers: {
      host: new URL(payUrl).host,
      ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...headers,
    },
    ...(form && { body: String(new URLSearchParams(form)) }),
  });
  return { status: answer.status, html: answer.text, headers: answer.headers };
}

const attributeOf = (html: string, name: string): string =>
  new RegExp(`${name}="([^"]*)"`).exec(html)?.[1] ?? '';

/** The page key, which the payer's browser sends back. */
export const pageKeyOf = ({ html }: PageAnswer): string =>
  attributeOf(html.slice(html.indexOf('page_key')), 'value');

/** A payment that began at a link's page, and its server. */
export interface LinkPayment {
  readonly server: FormServer;
  /** Path of the payment's page. */
  readonly path: string;
  readonly payment_id: string;
  /** Form token in the page. */
  readonly grant: string;
}

/** Opens the link and submits the payer's data. */
export async function beginPayment(server: FormServer, link: ResourceObject): Promise<LinkPayment> {
  const page_key = pageKeyOf(await browse(server, pathOf(link)));
  const { headers } = await browse(server, pathOf(link), { ...payerDetails, page_key });
  return openPaymentPage(server, headers.get('location') ?? '');
}

export async function openPaymentPage(server: FormServer, path: string): Promise<LinkPayment> {
  const { html } = await browse(server, path);
  const [payment_id, grant] = ['data-payment', 'data-grant'].map((name) => attributeOf(html, name));
  return { server, path, payment_id: payment_id ?? '', grant: grant ?? '' };
}

/** Enters a card in the form on the page. */
export async function enterCard(
  { server, payment_id, grant }: LinkPayment,
  cardName = 'visa',
): Promise<VerifyAnswer> {
  const sealed = await sealCard(await mountForm(server, payment_id, grant), cardName);
  return answerOf(
    await callPay(server, '/frame/v1/verify', { ...sealed, billing_address: berlinAddress }),
  );
}

/** Confirms the payment as the page's script does. Returns the status. */
export const submitConfirmation = async ({ server, path }: LinkPayment): Promise<number> =>
  (await browse(server, `${path}/confirm`, {})).status;
