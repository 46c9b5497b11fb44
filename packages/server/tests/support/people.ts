import { expect } from 'vitest';
import type { Api } from './api.ts';
import { type Browser, type BrowserAnswer, openBrowser } from './browser.ts';
import { documentOf } from './client.ts';
import { tokenTo } from './mailbox.ts';

/** Password of every person who registers in tests. */
export const PASSWORD = 'a mill and a store';
let made = 0;

export const freshAddress = (): string => `person${++made}@example.com`;

export const post = (browser: Browser, path: string, body?: object, headers = {}) =>
  browser.send('POST', `/dashboard/api/${path}`, body, headers);

export const codesOf = ({ body }: Pick<BrowserAnswer, 'body'>): [string, object | undefined][] =>
  body.errors.map(({ code, source }: { code: string; source?: object }) => [code, source]);

export const me = async (browser: Browser) => (await browser.get('/dashboard/api/me')).body;

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
  async function makeNewcomer(email = freshAddress()): Promise<Newcomer> {
    const browser = openAnonymous();
    await post(browser, 'registrations', { email });
    const token = await tokenTo(browser, email, 'registration');
    const chosen = { token, name: 'Ada Lovelace', password: PASSWORD };
    const used = await post(browser, 'links/use', chosen);
    expect([used.status, used.body]).toEqual([200, { signed_in: true, merchant: null }]);
    return { browser, email };
  }
  async function makeOpener(): Promise<Opener> {
    const { browser, email } = await makeNewcomer();
    const { id } = (await post(browser, 'merchants', { business_name: 'Engines' })).body;
    return { browser, email, id, headers: { 'florin-merchant': id, 'florin-mode': 'live' } };
  }
  return { anonymous: openAnonymous, newcomer: makeNewcomer, opener: makeOpener };
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
