import { TOTP } from 'otpauth';
import { beforeAll, describe, expect, it } from 'vitest';
import { MAILS_MAX } from '../../src/features/account-letters/limits.ts';
import { ACCESS_DAYS, AUDIT_DAYS, forgetAccounts } from '../../src/features/accounts/forget.ts';
import { LINK_SECONDS } from '../../src/features/accounts/links.ts';
import { CODE_TRIES_MAX } from '../../src/features/accounts/second-factor.ts';
import { FRESH_SECONDS } from '../../src/features/accounts/sessions.ts';
import { seconds } from '../../src/kernel/clock.ts';
import { useApi } from '../support/api.ts';
import { type Browser, openBrowser, signedIn } from '../support/browser.ts';
import { documentOf } from '../support/client.ts';
import { clockAhead } from '../support/clock-ahead.ts';
import { lettersTo, tokenTo } from '../support/mailbox.ts';
import { rawRequest } from '../support/raw-request.ts';

const clock = clockAhead();
const api = useApi({ config: { clock } });
const PASSWORD = 'a mill and a store';
let made = 0;
let visitor: Browser;
beforeAll(() => {
  visitor = openBrowser(api.stack.baseUrl);
});

const freshAddress = () => `person${++made}@example.com`;
const ask = (browser: Browser, path: string, body?: object, headers = {}) =>
  browser.send('POST', `/dashboard/api/${path}`, body, headers);
const codesOf = ({ body }: { body: { errors: { code: string; source?: object }[] } }) =>
  body.errors.map(({ code, source }) => [code, source]);
const me = async (browser: Browser) => (await browser.get('/dashboard/api/me')).body;

/** Somebody who has registered and signed in. */
async function newcomer(): Promise<{ browser: Browser; email: string }> {
  const email = freshAddress();
  const browser = openBrowser(api.stack.baseUrl);
  await ask(browser, 'registrations', { email });
  const token = await tokenTo(browser, email, 'registration');
  const used = await ask(browser, 'links/use', { token, name: 'Ada Lovelace', password: PASSWORD });
  expect([used.status, used.body]).toEqual([200, { signed_in: true, merchant: null }]);
  return { browser, email };
}

describe('registering', () => {
  it('makes an account once its person has come by the mail', async () => {
    const { browser, email } = await newcomer();
    expect((await me(browser)).account).toMatchObject({
      email,
      email_verified: true,
      operator: false,
    });
    const opened = await ask(browser, 'merchants', { business_name: 'Engines' });
    expect(opened.status).toBe(201);
    const { merchants } = await me(browser);
    expect(merchants).toMatchObject([
      {
        id: opened.body.id,
        opener: true,
        standing: { sandbox: 'active', live: 'unapproved' },
        submitted: false,
      },
    ]);
    const headers = { 'florin-merchant': opened.body.id, 'florin-mode': 'sandbox' };
    expect((await browser.get('/v2/processor_details', headers)).body.data).toHaveLength(1);
  });

  it('is answered alike for an address with an account, which is told so by mail', async () => {
    const { email } = await api.stack.credentials.account;
    const [known, unknown] = await Promise.all(
      [email, freshAddress()].map((each) => ask(visitor, 'registrations', { email: each })),
    );
    expect([known?.status, known?.body]).toEqual([unknown?.status, unknown?.body]);
    const [letter] = await lettersTo(visitor, email, 'registration');
    expect(letter?.subject).toBe('Your Florin account');
    expect(letter?.text).not.toContain('link#');
  });

  it('writes in the language that was asked for', async () => {
    const email = freshAddress();
    await ask(visitor, 'registrations', { email, locale: 'de' });
    const [letter] = await lettersTo(visitor, email, 'registration');
    expect(letter?.subject).toBe('Dein Florin-Konto');
  });

  it.each([
    ['short', 'too_short'],
    ['password1234', 'password_too_common'],
  ])('takes no password like %s, and the link stays good', async (password, code) => {
    const email = freshAddress();
    await ask(visitor, 'registrations', { email });
    const token = await tokenTo(visitor, email, 'registration');
    const refused = await ask(visitor, 'links/use', { token, name: 'Ada', password });
    expect(codesOf(refused)).toEqual([[code, { pointer: '/password' }]]);
    expect((await ask(visitor, 'links/look', { token })).body).toMatchObject({
      email,
      is_new: true,
    });
  });
});

describe('a link of a mail', () => {
  it('is good once', async () => {
    const email = freshAddress();
    await ask(visitor, 'registrations', { email });
    const token = await tokenTo(visitor, email, 'registration');
    const uses = await Promise.all(
      ['one', 'two'].map((name) =>
        ask(openBrowser(api.stack.baseUrl), 'links/use', { token, name, password: PASSWORD }),
      ),
    );
    expect(uses.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect(codesOf(await ask(visitor, 'links/look', { token }))).toEqual([
      ['link_unusable', undefined],
    ]);
  });

  it('is good no longer than it says, nor once a newer one was sent', async () => {
    const email = freshAddress();
    await ask(visitor, 'registrations', { email });
    const first = await tokenTo(visitor, email, 'registration');
    await ask(visitor, 'registrations', { email });
    const second = await tokenTo(visitor, email, 'registration', 2);
    expect((await ask(visitor, 'links/look', { token: first })).status).toBe(422);
    expect((await ask(visitor, 'links/look', { token: second })).status).toBe(200);
    clock.advance(LINK_SECONDS.verify_email);
    expect((await ask(visitor, 'links/look', { token: second })).status).toBe(422);
  });

  it('is kept as its hash alone', async () => {
    const email = freshAddress();
    await ask(visitor, 'registrations', { email });
    const token = await tokenTo(visitor, email, 'registration');
    const rows = await api.books.db.query(
      'select l::text as text from account_links l union all select l::text from account_letters l',
      [],
    );
    expect(rows.some(({ text }) => text?.includes(token))).toBe(false);
  });

  it('is not shown to a page that has another host', async () => {
    const { status } = await rawRequest(api.stack.baseUrl, {
      path: '/dashboard/api/mailbox',
      headers: { host: 'elsewhere.example', 'user-agent': 'tests' },
    });
    expect(status).toBe(404);
  });

  it('is not shown to what comes over a proxy, whatever host it names', async () => {
    for (const header of ['x-forwarded-for', 'x-forwarded-proto', 'forwarded']) {
      const { status } = await visitor.get('/dashboard/api/mailbox', { [header]: 'for=192.0.2.1' });
      expect([header, status]).toEqual([header, 404]);
    }
  });
});

describe('resetting a password', () => {
  it('ends all sessions, tells the person, and signs nobody in', async () => {
    const { browser, email } = await newcomer();
    await ask(visitor, 'password_resets', { email });
    const token = await tokenTo(visitor, email, 'reset_password');
    const password = 'another mill and store';
    const used = await ask(visitor, 'links/use', { token, password });
    expect([used.status, used.body.signed_in]).toEqual([200, false]);
    expect((await browser.get('/dashboard/api/me')).status).toBe(401);
    await lettersTo(visitor, email, 'password_changed');
    await expect(signedIn(api.stack.baseUrl, { email, password: PASSWORD })).rejects.toThrow();
    await signedIn(api.stack.baseUrl, { email, password });
  });

  it('is answered alike for an address without an account, which gets no mail', async () => {
    const unknown = freshAddress();
    const { email } = await newcomer();
    const [one, other] = await Promise.all(
      [email, unknown].map((each) => ask(visitor, 'password_resets', { email: each })),
    );
    expect([one?.status, one?.body]).toEqual([other?.status, other?.body]);
    await lettersTo(visitor, email, 'reset_password');
    const { body } = await visitor.get('/dashboard/api/mailbox');
    expect(JSON.stringify(body)).not.toContain(unknown);
  });
});

describe('changing the address', () => {
  it('takes the new one once its mail was read, and tells the old one', async () => {
    const { browser, email } = await newcomer();
    const changed = freshAddress();
    expect((await ask(browser, 'account/email', { email: changed })).status).toBe(202);
    expect((await me(browser)).account.email).toBe(email);
    const token = await tokenTo(visitor, changed, 'change_email');
    expect((await ask(visitor, 'links/use', { token })).status).toBe(200);
    expect((await me(browser)).account.email).toBe(changed);
    await lettersTo(visitor, email, 'email_changed');
  });

  it('to one that has an account is not possible, and not told of', async () => {
    const [{ browser, email }, other] = [await newcomer(), await newcomer()];
    expect((await ask(browser, 'account/email', { email: other.email })).status).toBe(202);
    const token = await tokenTo(visitor, other.email, 'change_email');
    expect(codesOf(await ask(visitor, 'links/use', { token }))).toEqual([
      ['link_unusable', undefined],
    ]);
    expect((await me(browser)).account.email).toBe(email);
  });
});

describe('changing the password', () => {
  it('takes the old one, and ends the other sessions', async () => {
    const { browser, email } = await newcomer();
    const other = await signedIn(api.stack.baseUrl, { email, password: PASSWORD });
    const password = 'yet another mill';
    const change = (old_password: string) =>
      ask(browser, 'account/password', { old_password, password });
    expect(codesOf(await change('not the old one'))).toEqual([
      ['wrong_credentials', { pointer: '/old_password' }],
    ]);
    const address = freshAddress();
    await ask(browser, 'account/email', { email: address });
    const token = await tokenTo(visitor, address, 'change_email');
    expect((await change(PASSWORD)).status).toBe(204);
    // Whoever sat at the session and asked for it has nothing of it.
    expect((await ask(visitor, 'links/use', { token })).status).toBe(422);
    expect((await browser.get('/dashboard/api/me')).status).toBe(200);
    expect((await other.get('/dashboard/api/me')).status).toBe(401);
  });
});

describe('the codes of an authenticator', () => {
  const codeOf = (secret: string, steps = 0) =>
    new TOTP({ secret }).generate({ timestamp: clock.now() / 1_000 + steps * 30_000 });

  async function withTotp() {
    const { browser, email } = await newcomer();
    const { secret, uri } = (await ask(browser, 'account/totp')).body;
    expect(uri).toContain(`secret=${secret}`);
    const cookie = browser.cookie;
    const confirmed = await ask(browser, 'account/totp/confirm', { code: codeOf(secret) });
    expect(confirmed.status).toBe(200);
    expect(browser.cookie).not.toBe(cookie);
    return { browser, email, secret, recovery: confirmed.body.recovery_codes as string[] };
  }

  async function passwordGiven(email: string): Promise<Browser> {
    const browser = openBrowser(api.stack.baseUrl);
    const answer = await ask(browser, 'session', { email, password: PASSWORD });
    expect(answer.body.awaits).toEqual(['totp', 'recovery_code']);
    return browser;
  }

  it('are asked for after the password, which alone opens nothing', async () => {
    const { email, secret } = await withTotp();
    const browser = await passwordGiven(email);
    expect((await browser.get('/dashboard/api/me')).status).toBe(401);
    const waiting = browser.cookie;
    clock.advance(60);
    expect((await ask(browser, 'session/code', { code: codeOf(secret) })).status).toBe(201);
    expect((await me(browser)).account.totp).toBe(true);
    const before = openBrowser(api.stack.baseUrl, waiting);
    expect((await before.get('/dashboard/api/me')).status).toBe(401);
    expect((await ask(before, 'session/code', { code: '123456' })).status).toBe(401);
  });

  it('are good once, each, and one step early or late', async () => {
    const { email, secret } = await withTotp();
    clock.advance(90);
    const late = codeOf(secret, -1);
    expect((await ask(await passwordGiven(email), 'session/code', { code: late })).status).toBe(
      201,
    );
    const again = await ask(await passwordGiven(email), 'session/code', { code: late });
    expect(codesOf(again)).toEqual([['wrong_code', { pointer: '/code' }]]);
    const tooEarly = await ask(await passwordGiven(email), 'session/code', {
      code: codeOf(secret, 2),
    });
    expect(tooEarly.status).toBe(422);
    const early = codeOf(secret, 1);
    expect((await ask(await passwordGiven(email), 'session/code', { code: early })).status).toBe(
      201,
    );
  });

  it('can be tried so often, the right one included', async () => {
    const { email, secret } = await withTotp();
    clock.advance(60);
    const browser = await passwordGiven(email);
    for (let tries = 0; tries < CODE_TRIES_MAX; tries++) {
      expect((await ask(browser, 'session/code', { code: '000000' })).status).toBe(422);
    }
    expect((await ask(browser, 'session/code', { code: codeOf(secret) })).status).toBe(422);
  });

  it('are stood in for by recovery codes, each once', async () => {
    const { email, recovery } = await withTotp();
    expect(recovery).toHaveLength(10);
    const code = (recovery[0] as string).toUpperCase().replaceAll('-', ' ');
    expect((await ask(await passwordGiven(email), 'session/code', { code })).status).toBe(201);
    expect((await ask(await passwordGiven(email), 'session/code', { code })).status).toBe(422);
  });

  it('are removed by somebody who has just signed in, and their person is told', async () => {
    const { browser, email } = await withTotp();
    clock.advance(FRESH_SECONDS);
    const refused = await browser.send('DELETE', '/dashboard/api/account/totp');
    expect(codesOf(refused)).toEqual([['sign_in_again', undefined]]);
    expect((await ask(browser, 'session/fresh', { password: PASSWORD })).status).toBe(204);
    expect((await browser.send('DELETE', '/dashboard/api/account/totp')).status).toBe(204);
    await lettersTo(visitor, email, 'factors_changed', 2);
    expect((await browser.get('/dashboard/api/account/factors')).body).toEqual({
      totp: false,
      recovery_codes_left: 0,
      passkeys: [],
    });
  });

  it('are kept sealed', async () => {
    const { email, secret } = await withTotp();
    const [row] = await api.books.db.query('select totp_secret from accounts where email = $1', [
      email,
    ]);
    expect(row?.totp_secret).not.toContain(secret);
  });
});

describe('the sessions of an account', () => {
  it('are its own to end', async () => {
    const [{ browser, email }, stranger] = [await newcomer(), await newcomer()];
    const other = await signedIn(api.stack.baseUrl, { email, password: PASSWORD });
    const list = async () => (await browser.get('/dashboard/api/sessions')).body.data;
    const theirs = (await list()).find(({ current }: { current: boolean }) => !current).id;
    await stranger.browser.send('DELETE', `/dashboard/api/sessions/${theirs}`);
    expect((await other.get('/dashboard/api/me')).status).toBe(200);
    await browser.send('DELETE', `/dashboard/api/sessions/${theirs}`);
    expect((await other.get('/dashboard/api/me')).status).toBe(401);
    expect(await list()).toHaveLength(1);
  });
});

describe('the passkeys of an account', () => {
  it('are asked for with a challenge that nobody else can use', async () => {
    const options = (await ask(visitor, 'session/passkey/options')).body;
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
    const forged = { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response: {} };
    const answer = await ask(visitor, 'session/passkey', { response: forged });
    expect(codesOf(answer)).toEqual([['wrong_credentials', undefined]]);
    const { browser } = await newcomer();
    const added = await ask(browser, 'account/passkeys', { name: 'Key', response: forged });
    expect(codesOf(added)).toEqual([['wrong_code', { pointer: '/response' }]]);
  });
});

describe('the members of a merchant', () => {
  const permissionsOf = async (browser: Browser, headers: object, slugs: readonly string[]) =>
    (
      await browser.get(`/v2/permissions?filter[slug]=${slugs.join()}`, { ...headers })
    ).body.data.map(({ type, id }: { type: string; id: string }) => ({ type, id }));

  /** A merchant and the headers with which its pages ask. */
  async function opened() {
    const { browser, email } = await newcomer();
    const { id } = (await ask(browser, 'merchants', { business_name: 'Engines' })).body;
    return { browser, email, id, headers: { 'florin-merchant': id, 'florin-mode': 'live' } };
  }

  async function invite(
    { browser, headers }: Awaited<ReturnType<typeof opened>>,
    email: string,
    slugs: readonly string[],
  ) {
    const permissions = await permissionsOf(browser, headers, slugs);
    const body = documentOf('memberships', { email }, { permissions });
    return (await browser.send('POST', '/v2/memberships', body, headers)).body.data.id as string;
  }

  const members = ['user.memberships.read', 'user.memberships.create', 'user.memberships.update'];

  it('are invited by mail, and join with a password of their own', async () => {
    const merchant = await opened();
    const email = freshAddress();
    const invited = await invite(merchant, email, ['consumer.customers.read']);
    const [letter] = await lettersTo(visitor, email, 'invitation');
    expect(letter?.subject).toBe('Engines invites you to Florin');
    const token = await tokenTo(visitor, email, 'invitation');
    const browser = openBrowser(api.stack.baseUrl);
    expect((await ask(browser, 'links/look', { token })).body).toMatchObject({
      purpose: 'invitation',
      business_name: 'Engines',
      is_new: true,
    });
    await ask(browser, 'links/use', { token, name: 'Grace Hopper', password: PASSWORD });
    expect((await me(browser)).merchants).toMatchObject([
      { id: merchant.id, membership_id: invited, permissions: ['consumer.customers.read'] },
    ]);
    const { headers } = merchant;
    expect((await browser.get('/v2/customers', headers)).status).toBe(200);
    expect((await browser.get('/v2/payment_demands', headers)).status).toBe(403);
  });

  it('are written to a few times an hour, whoever asks', async () => {
    const merchant = await opened();
    const email = freshAddress();
    const id = await invite(merchant, email, []);
    const again = () =>
      merchant.browser.send('PATCH', `/v2/memberships/${id}/resend`, undefined, merchant.headers);
    const sent: number[] = [];
    for (let letters = 1; letters <= MAILS_MAX.address; letters++)
      sent.push((await again()).status);
    expect(sent).toEqual([...sent.slice(1).map(() => 200), 429]);
  });

  it('who have an account join with it alone', async () => {
    const [merchant, guest, other] = [await opened(), await newcomer(), await newcomer()];
    await invite(merchant, guest.email, []);
    const token = await tokenTo(visitor, guest.email, 'invitation');
    expect((await ask(visitor, 'links/use', { token })).status).toBe(401);
    expect((await ask(other.browser, 'links/use', { token })).status).toBe(401);
    const chosen = { token, name: 'Mallory', password: 'a password of mine' };
    expect((await ask(visitor, 'links/use', chosen)).status).toBe(401);
    expect((await ask(guest.browser, 'links/use', { token })).body.merchant).toBe(merchant.id);
  });

  it('see what they are invited to where they have signed in, and nobody else accepts it', async () => {
    const [merchant, guest, other] = [await opened(), await newcomer(), await newcomer()];
    const id = await invite(merchant, guest.email, []);
    const path = `invitations/${merchant.id}/${id}/accept`;
    expect((await ask(other.browser, path)).status).toBe(404);
    expect((await guest.browser.get('/dashboard/api/invitations')).body.data).toMatchObject([
      { id, business_name: 'Engines' },
    ]);
    expect((await ask(guest.browser, path)).status).toBe(204);
    expect((await ask(guest.browser, path)).status).toBe(404);
  });

  it('give nobody what they do not hold, and touch nobody who holds more', async () => {
    const merchant = await opened();
    const { headers } = merchant;
    const guest = await newcomer();
    const [clerk, boss] = [
      await invite(merchant, guest.email, members),
      await invite(merchant, freshAddress(), ['transaction.refund_demands.create']),
    ];
    const token = await tokenTo(visitor, guest.email, 'invitation');
    await ask(guest.browser, 'links/use', { token });
    const all = await permissionsOf(merchant.browser, headers, [
      'transaction.refund_demands.create',
    ]);
    const set = (id: string, permissions: object) =>
      guest.browser.send(
        'PATCH',
        `/v2/memberships/${id}`,
        documentOf('memberships', {}, { permissions } as never, id),
        headers,
      );
    const opener = (await me(merchant.browser)).merchants[0].membership_id;
    expect((await set(clerk, all)).status).toBe(403);
    expect((await set(boss, [])).status).toBe(403);
    expect((await set(opener, [])).status).toBe(403);
    for (const id of [boss, opener]) {
      const answer = await guest.browser.send(
        'PATCH',
        `/v2/memberships/${id}/remove`,
        undefined,
        headers,
      );
      expect(answer.status).toBe(403);
    }
    const made = documentOf('memberships', { email: freshAddress() }, { permissions: all });
    expect((await guest.browser.send('POST', '/v2/memberships', made, headers)).status).toBe(403);
  });

  it('can do nothing any more from when they are removed', async () => {
    const [merchant, guest] = [await opened(), await newcomer()];
    const { headers, browser } = merchant;
    const id = await invite(merchant, guest.email, ['consumer.customers.read']);
    await ask(guest.browser, 'links/use', {
      token: await tokenTo(visitor, guest.email, 'invitation'),
    });
    expect((await guest.browser.get('/v2/customers', headers)).status).toBe(200);
    expect(
      (await browser.send('PATCH', `/v2/memberships/${id}/remove`, undefined, headers)).status,
    ).toBe(200);
    expect((await guest.browser.get('/v2/customers', headers)).status).toBe(403);
    expect((await me(guest.browser)).merchants).toEqual([]);
  });

  it('are changed by somebody who has just signed in', async () => {
    const merchant = await opened();
    clock.advance(FRESH_SECONDS);
    const body = documentOf('memberships', { email: freshAddress() });
    const answer = await merchant.browser.send('POST', '/v2/memberships', body, merchant.headers);
    expect(codesOf(answer)).toEqual([['sign_in_again', undefined]]);
  });

  it('leave an entry of what they do, which members see, and strangers do not', async () => {
    const [merchant, other] = [await opened(), await opened()];
    const { browser, headers } = merchant;
    const id = await invite(merchant, freshAddress(), []);
    await ask(other.browser, 'sessions/end_others', undefined, headers);
    const { body } = await browser.get('/dashboard/api/audit_entries', headers);
    expect(body.data).toMatchObject([
      { action: 'POST /v2/memberships', record_id: id, outcome: 201, mode: 'live' },
    ]);
    expect(body.data[0].account.email).toBe(merchant.email);
    expect((await other.browser.get('/dashboard/api/audit_entries', headers)).status).toBe(403);
  });
});

describe('what a new business tells', () => {
  it('is handed in once it is complete, and is not changed afterwards', async () => {
    const { browser } = await newcomer();
    const { id } = (await ask(browser, 'merchants', { business_name: 'Engines' })).body;
    const headers = { 'florin-merchant': id, 'florin-mode': 'live' };
    const submit = () => ask(browser, 'application/submit', undefined, headers);
    const missing = await submit();
    expect(missing.status).toBe(422);
    expect(missing.body.errors.length).toBeGreaterThan(5);
    const tell = (body: object) =>
      browser.send('PATCH', '/dashboard/api/application', body, headers);
    const facts = {
      category_code: '5734',
      entity_type: 'llc',
      prior_bankruptcies: false,
      tax_id_type: 'ein',
    };
    expect((await tell(facts)).body).toMatchObject(facts);
    const change = documentOf(
      'merchants',
      {
        business_description: 'Analytical engines',
        business_website: 'https://engines.example',
        phone_number: '+12125550142',
        business_zip_code: '10001',
      },
      {},
      id,
    );
    expect((await browser.send('PATCH', `/v2/merchants/${id}`, change, headers)).status).toBe(200);
    const make = async (type: string, attributes: object, relations = {}) => {
      const body = documentOf(type, attributes, relations);
      const answer = await browser.send('POST', `/v2/${type}`, body, headers);
      expect(answer.status).toBe(201);
      return answer.body.data;
    };
    const address = { line_1: '1 Main Street', city: 'New York', state: 'NY', zip: '10001' };
    const legal_address = await make('legal_addresses', { ...address, country: 'USA' });
    const person = { full_name: 'Ada Lovelace' };
    const personal_identification = await make('personal_identifications', person, {
      legal_address,
    });
    await make('corporate_officials', { role: 'Director' }, { personal_identification });
    await make('beneficial_owners', { ownership_percentage: 100 }, { personal_identification });
    const bank = await ask(
      browser,
      'financial_institutions',
      {
        name: 'First Bank',
        holder_name: 'Engines LLC',
        account_number: '4012888888881881',
        routing_number: '021000021',
      },
      headers,
    );
    expect([bank.status, bank.body.account_last_four]).toEqual([201, '1881']);
    const [row] = await api.books.db.query(
      'select account_number from financial_institutions where merchant_id = $1',
      [id],
    );
    expect(row?.account_number).not.toContain('1881');
    expect((await submit()).body).toMatchObject({ missing: [], submitted: true });
    expect((await tell({ entity_type: 'non_profit' })).status).toBe(405);
    expect((await submit()).status).toBe(405);
  });
});

/** At the end: nothing is left of it that others could use. */
describe('what had its time', () => {
  const countOf = async (table: string) =>
    Number((await api.books.db.query(`select count(*) as count from ${table}`, []))[0]?.count);
  const forgetAfter = (days: number) =>
    forgetAccounts(api.books.db, clock.now() + seconds(days * 24 * 60 * 60), 1_000);

  it('is forgotten: ways to sign in after a month, what people did after 400 days', async () => {
    await forgetAfter(ACCESS_DAYS / 2);
    expect(await countOf('account_letters')).toBeGreaterThan(0);
    await forgetAfter(ACCESS_DAYS + 8);
    for (const table of ['account_letters', 'account_links', 'sessions', 'passkey_challenges']) {
      expect([table, await countOf(table)]).toEqual([table, 0]);
    }
    expect(await countOf('audit_entries')).toBeGreaterThan(0);
    await forgetAfter(AUDIT_DAYS + 1);
    expect(await countOf('audit_entries')).toBe(0);
  });
});
