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

/** Opens the bank's challenge page from the form's own page. Returns the bank's page and its URL. */
export async function openChallenge(stack: FormServer, answer: VerifyAnswer) {
  if (answer.result !== 'challenge') throw new Error(`no challenge but ${answer.result}`);
  const launchForm = parseForm((await callPay(stack, answer.challenge.page_url)).text);
  return { from: launchForm.url, page: (await post(launchForm.url, launchForm)).text };
}

/** Enters a code on the bank's page and follows the result. Returns the last page. */
export async function enterCode(challenge: { from: string; page: string }, code: string) {
  const { url, fields } = parseForm(challenge.page);
  const response = await post(challenge.from, { url, fields: { ...fields, code, action: 'code' } });
  return { from: challenge.from, page: response.text };
}

/** Polls or cancels the form's challenge. Returns its outcome so far. */
export const callForm = async (
  stack: FormServer,
  call: 'challenge' | 'challenge/cancel',
  body: object,
): Promise<VerifyAnswer> => answerOf(await callPay(stack, `/frame/v1/${call}`, body));
