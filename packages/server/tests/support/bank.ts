import type { BrowserFacts, VerifyAnswer } from '@florin/contract/protocol/frame.ts';
import { answerOf, callPay, type FormServer } from './form.ts';
import { rawRequest } from './raw-request.ts';

/** Facts about a common browser. Forms send them. */
export const browser: BrowserFacts = {
  language: 'en-US',
  color_depth: 30,
  screen_height: 900,
  screen_width: 1440,
  tz: -60,
};

/** A form that a page submits by script. */
export interface FormSubmission {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
}

const unescapeHtml = (text: string): string =>
  text.replaceAll('&amp;', '&').replaceAll('&#39;', "'");

/** Parses the only form of a page. Throws with the page if it has no form. */
export function parseForm(html: string): FormSubmission {
  const url = /<form method="post" action="([^"]+)"/.exec(html)?.[1];
  if (!url) throw new Error(`the page has no form: ${html}`);
  const inputs = html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g);
  const fields = [...inputs].map(([, name = '', value = '']) => [name, unescapeHtml(value)]);
  return { url: unescapeHtml(url), fields: Object.fromEntries(fields) };
}

/** Posts a form as a browser does, to any address on this computer. */
export function post(
  pageUrl: string,
  { url, fields }: FormSubmission,
): ReturnType<typeof rawRequest> {
  const target = new URL(url, pageUrl);
  return rawRequest(`http://127.0.0.1:${target.port}`, {
    method: 'POST',
    path: target.pathname + target.search,
    headers: { host: target.host, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  });
}

/** A page of the bank, and the URL that it was loaded from. */
interface BankPage {
  readonly url: string;
  readonly html: string;
}

/** Opens the bank's challenge page from the form's own page. */
export async function openChallenge(server: FormServer, answer: VerifyAnswer): Promise<BankPage> {
  if (answer.result !== 'challenge') throw new Error(`no challenge but ${answer.result}`);
  const launchForm = parseForm((await callPay(server, answer.challenge.page_url)).text);
  return { url: launchForm.url, html: (await post(launchForm.url, launchForm)).text };
}

/** Enters a code on the bank's page and follows the result. Returns the last page. */
export async function enterCode(page: BankPage, code: string): Promise<BankPage> {
  const { url, fields } = parseForm(page.html);
  const response = await post(page.url, { url, fields: { ...fields, code, action: 'code' } });
  return { url: page.url, html: response.text };
}

/** Polls or cancels the form's challenge. Returns its outcome so far. */
export const callForm = async (
  server: FormServer,
  call: 'challenge' | 'challenge/cancel',
  body: object,
): Promise<VerifyAnswer> => answerOf(await callPay(server, `/frame/v1/${call}`, body));
