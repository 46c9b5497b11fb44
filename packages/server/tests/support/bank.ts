import type { BrowserFacts, VerifyAnswer } from '@florin/contract/protocol/frame.ts';
import { answerOf, callPay, type FormPlace } from './form.ts';
import { rawRequest } from './raw-request.ts';

/** Facts about a common browser, which forms send. */
export const browser: BrowserFacts = {
  language: 'en-US',
  color_depth: 30,
  screen_height: 900,
  screen_width: 1440,
  tz: -60,
};

/** A form that a page submits by script. */
export interface Posting {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
}

const unescapeHtml = (text: string): string =>
  text.replaceAll('&amp;', '&').replaceAll('&#39;', "'");

/** Parses the only form of a page. Throws with the page if it has no form. */
export function postingOf(html: string): Posting {
  const url = /<form method="post" action="([^"]+)"/.exec(html)?.[1];
  if (!url) throw new Error(`the page has no form: ${html}`);
  const inputs = html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g);
  const fields = [...inputs].map(([, name = '', value = '']) => [name, unescapeHtml(value)]);
  return { url: unescapeHtml(url), fields: Object.fromEntries(fields) };
}

/** Posts a form as a browser does, to any address on this computer. */
export function post(from: string, { url, fields }: Posting): ReturnType<typeof rawRequest> {
  const target = new URL(url, from);
  return rawRequest(`http://127.0.0.1:${target.port}`, {
    method: 'POST',
    path: target.pathname + target.search,
    headers: { host: target.host, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  });
}

/** Opens the bank's challenge page from the form's own page. Returns the bank's page and its URL. */
export async function openChallenge(stack: FormPlace, answer: VerifyAnswer) {
  if (answer.result !== 'challenge') throw new Error(`no challenge but ${answer.result}`);
  const launch = postingOf((await callPay(stack, answer.challenge.page_url)).text);
  return { from: launch.url, page: (await post(launch.url, launch)).text };
}

/** Enters a code on the bank's page and follows the result. Returns the last page. */
export async function enterCode(opened: { from: string; page: string }, code: string) {
  const { url, fields } = postingOf(opened.page);
  const answered = await post(opened.from, { url, fields: { ...fields, code, action: 'code' } });
  return { from: opened.from, page: answered.text };
}

/** The form's poll for its challenge's outcome. */
export const askForm = async (
  stack: FormPlace,
  call: 'challenge' | 'challenge/cancel',
  body: object,
): Promise<VerifyAnswer> => answerOf(await callPay(stack, `/frame/v1/${call}`, body));
