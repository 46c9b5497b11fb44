import { expect } from 'vitest';
import type { Api } from './api.ts';
import { type Browser, type BrowserAnswer, openBrowser } from './browser.ts';
import { documentOf } from './client.ts';
import { waitForLinkToken } from './mailbox.ts';

/** Password of every person who registers in tests. */
export const PASSWORD = 'a mill and a store';
let personCount = 0;

export const newEmailAddress = (): string => `person${++personCount}@example.com`;

export const post = (browser: Browser, path: string, body?: object, headers = {}) =>
  browser.send('POST', `/dashboard/api/${path}`, body, headers);

export const codesOf = ({ body }: Pick<BrowserAnswer, 'body'>): [string, object | undefined][] =>
  body.errors.map(({ code, source }: { code: string; source?: object }) => [code, source]);

export const fetchMe = async (browser: Browser) => (await browser.get('/dashboard/api/me')).body;

/** A person who is registered and signed in. */
export interface Newcomer {
  readonly browser: Browser;
  readonly email: string;
}

/** The owner of a merchant, with the request headers of the merchant's dashboard pages. */
export interface Opener extends Newcomer {
  readonly id: string;
  readonly headers: Record<string, string>;
}

/** Creates people on a server. */
export const peopleOf = (api: Pick<Api, 'stack'>) => {
  const openAnonymous = (): Browser => openBrowser(api.stack.baseUrl);
  async function makeNewcomer(email = newEmailAddress()): Promise<Newcomer> {
    const browser = openAnonymous();
    await post(browser, 'registrations', { email });
    const token = await waitForLinkToken(browser, email, 'registration');
    const body = { token, name: 'Ada Lovelace', password: PASSWORD };
    const response = await post(browser, 'links/use', body);
    expect([response.status, response.body]).toEqual([200, { signed_in: true, merchant: null }]);
    return { browser, email };
  }
  async function makeOpener(): Promise<Opener> {
    const { browser, email } = await makeNewcomer();
    const { id } = (await post(browser, 'merchants', { business_name: 'Engines' })).body;
    return { browser, email, id, headers: { 'florin-merchant': id, 'florin-mode': 'live' } };
  }
  return { openAnonymous, makeNewcomer, makeOpener };
};

/** Permission ids, for the relationships of a document. */
export const permissionsOf = async (
  { browser, headers }: Pick<Opener, 'browser' | 'headers'>,
  slugs: readonly string[],
) =>
  (await browser.get(`/v2/permissions?filter[slug]=${slugs.join()}`, headers)).body.data.map(
    ({ type, id }: { type: string; id: string }) => ({ type, id }),
  );

/** Invites an address with these permissions. Returns the membership's id. */
export async function invite(
  merchant: Opener,
  email: string,
  slugs: readonly string[] = [],
): Promise<string> {
  const permissions = await permissionsOf(merchant, slugs);
  const body = documentOf('memberships', { email }, { permissions });
  const { browser, headers } = merchant;
  return (await browser.send('POST', '/v2/memberships', body, headers)).body.data.id;
}
