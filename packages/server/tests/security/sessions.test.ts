import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { TEST_PASSWORD_COST } from '@florin/dev-env/parts.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { GUESS_WINDOWS, GUESSES_MAX } from '../../src/features/people/accounts/guess-limit.ts';
import {
  type AttemptSource,
  createPasswords,
  SESSION_TRIES_MAX,
} from '../../src/features/people/accounts/passwords.ts';
import {
  createSessions,
  FRESH_SECONDS,
  IDLE_SECONDS,
  LIFE_SECONDS,
  type SessionInput,
} from '../../src/features/people/accounts/sessions.ts';
import { guardedTypes } from '../../src/features/people/dashboard/fresh-writes.ts';
import { cookieOf, sessionTokenOf } from '../../src/features/people/dashboard/session-cookie.ts';
import { changePassword, findAccountByEmail } from '../../src/features/people/sql/accounts.ts';
import { createSigner } from '../../src/platform/crypto/signer.ts';
import type { Db } from '../../src/platform/database/db.ts';
import type { Row } from '../../src/platform/database/row.ts';
import { instantText, systemClock } from '../../src/platform/time/clock.ts';
import { useOwnStack } from '../support/api.ts';
import { type Browser, openBrowser, signIn } from '../support/browser.ts';
import { documentOf } from '../support/client.ts';
import { createClockAhead } from '../support/clock-ahead.ts';
import { eventually } from '../support/make.ts';

/** Time for a request to reach the locked row. The test passes with a later request too. */
const ARRIVAL_MS = 300;
const [{ window_seconds: FIRST_WINDOW_SECONDS }] = GUESS_WINDOWS;
const clock = createClockAhead();
const api = useOwnStack({ config: { clock, strict_sign_in: true } });
let account: { email: string; password: string };
beforeAll(() => {
  const { email, password } = api.stack.credentials.account;
  account = { email, password: password as string };
});

const openSession = () => signIn(api.stack.baseUrl, account);
const openAnonymous = (cookie?: string) => openBrowser(api.stack.baseUrl, cookie);
const statusOfMe = async (browser: Browser) => (await browser.get('/dashboard/api/me')).status;
/** Creates the password checks of one process. Processes with the same signer share their counts. */
const createPasswordChecks = (signer = createSigner(randomBytes(32))) =>
  createPasswords({
    db: api.fixtures.global,
    clock: systemClock(),
    signer,
    config: { password_cost: TEST_PASSWORD_COST },
  });
async function readAccessTries(subject: string): Promise<number> {
  const sql = 'select tries from access_tries where subject = $1';
  return Number((await api.fixtures.global.query(sql, [subject]))[0]?.tries ?? 0);
}
const postSignIn = (browser: Browser, email: string, password: string) =>
  browser.send('POST', '/dashboard/api/session', { email, password });

describe('signing in', () => {
  it('accepts the address in any case', async () => {
    const browser = openAnonymous();
    const answer = await postSignIn(browser, account.email.toUpperCase(), account.password);
    expect([answer.status, answer.body]).toEqual([201, { awaits: [] }]);
    expect((await browser.get('/dashboard/api/me')).body).toMatchObject({
      account: { email: account.email, email_verified: true, totp: false, passkeys: false },
      merchants: [{ business_name: 'Florin Demo Shop', opener: true, permissions: 'all' }],
      instance: { base_url: api.stack.baseUrl, mail: 'mailbox' },
    });
  });

  it('has one account per address, in any case', async () => {
    const insertion = api.fixtures.global.query(
      `insert into accounts (id, email, password_hash, created_at, updated_at)
       select gen_random_uuid(), upper(email), password_hash, now(), now() from accounts limit 1`,
      [],
    );
    await expect(insertion).rejects.toMatchObject({ code: '23505' });
  });

  it('answers the same for an unknown address, a wrong password and an unconfirmed account', async () => {
    const [pendingAccount] = await api.fixtures.global.query(
      `insert into accounts (id, email, account_status, created_at, updated_at)
       values (gen_random_uuid(), 'waiting@demo.example', 'pending', now(), now()) returning email`,
      [],
    );
    const answers = await Promise.all(
      ['nobody@demo.example', account.email, pendingAccount?.email as string].map((email) =>
        postSignIn(openAnonymous(), email, 'a guess of mine'),
      ),
    );
    const refusals = answers.map(({ status, body }) => [status, body.errors[0].detail]);
    expect(new Set(refusals.map((refusal) => JSON.stringify(refusal))).size).toBe(1);
    expect(answers[0]?.status).toBe(422);
  });

  it('ends for an inactive account, including its open sessions', async () => {
    const browser = await openSession();
    await api.fixtures.global.query(`update accounts set account_status = 'banned'`, []);
    expect(await statusOfMe(browser)).toBe(401);
    expect((await postSignIn(openAnonymous(), account.email, account.password)).status).toBe(422);
    await api.fixtures.global.query(`update accounts set account_status = 'active'`, []);
    expect(await statusOfMe(browser)).toBe(200);
  });

  it('counts concurrent guesses across processes', async () => {
    const signer = createSigner(randomBytes(32));
    const [checks, otherChecks] = [createPasswordChecks(signer), createPasswordChecks(signer)];
    const guesses = Array.from({ length: GUESSES_MAX }, () =>
      checks.check(account.email, 'a guess', { ip: '192.0.2.1' }),
    );
    const subject = signer.sign(`password of account ${FIRST_WINDOW_SECONDS} ${account.email}`);
    await eventually(
      () => readAccessTries(subject),
      (count) => count === GUESSES_MAX,
    );
    const checkPassword = (source: AttemptSource) =>
      otherChecks.check(account.email, account.password, source);
    expect(await checkPassword({ ip: '192.0.2.1' })).toBeUndefined();
    expect(await checkPassword({ ip: '198.51.100.1' })).toBeUndefined();
    // Guessing locks nobody out of known browsers and open sessions.
    expect(await checkPassword({ ip: '192.0.2.1', device_id: 'theirs' })).toBeDefined();
    expect(await checkPassword({ ip: '192.0.2.1', session_id: 'theirs' })).toBeDefined();
    expect(await Promise.all(guesses)).toEqual(guesses.map(() => undefined));
  });

  it('counts guesses per session only', async () => {
    const checks = createPasswordChecks();
    const guessFrom = (session_id: string, password: string) =>
      checks.check(account.email, password, { ip: '192.0.2.1', session_id });
    await Promise.all(Array.from({ length: SESSION_TRIES_MAX }, () => guessFrom('one', 'a guess')));
    expect(await guessFrom('one', account.password)).toBeUndefined();
    expect(await guessFrom('other', account.password)).toBeDefined();
  });

  it('opens nothing with changed or expired challenges', async () => {
    const sessions = createSessions({ db: api.fixtures.global, clock: systemClock() });
    const browser = { ip: '192.0.2.1', user_agent: 'tests' };
    const row = await findAccountByEmail(api.fixtures.global, account.email);
    const { id, password_hash } = row as { id: string; password_hash: string };
    const openWith = (options: SessionInput) => sessions.open(id, browser, options);
    expect(await openWith({ password_hash: 'an earlier hash' })).toBeUndefined();
    const token = await openWith({ password_hash, awaits_factor: true });
    const pendingSession = await sessions.findAwaiting(token as string);
    await sessions.end({ id: pendingSession?.session.id as string, account_id: id });
    expect(await openWith({ replaces: pendingSession?.session })).toBeUndefined();
  });

  it('resets the guesses of an address after its right password', async () => {
    const passwords = createPasswordChecks();
    for (let count = 1; count <= 2 * GUESSES_MAX; count++) {
      const isRight = count % (GUESSES_MAX / 2) === 0;
      const password = isRight ? account.password : 'a guess';
      const accountRow = await passwords.check(account.email, password, { ip: '192.0.2.1' });
      expect(accountRow !== undefined).toBe(isRight);
    }
  });

  it('opens nothing with a password that is being changed', async () => {
    const { global: db } = api.fixtures;
    const sessions = createSessions({ db, clock: systemClock() });
    const { id, password_hash } = (await findAccountByEmail(db, account.email)) as Row;
    const [currentHash, at] = [password_hash as string, new Date().toISOString()];
    const replacePassword = (tx: Db, oldHash: string, newHash: string) =>
      changePassword(tx, id as string, { checkedHash: oldHash, password_hash: newHash, at });
    expect(await replacePassword(db, 'an earlier hash', 'another')).toBe(false);
    const [pendingToken] = await db.transaction(async (tx) => {
      await replacePassword(tx, currentHash, 'another');
      const browser = { ip: '192.0.2.1', user_agent: 'tests' };
      const pendingTokens = [sessions.open(id as string, browser, { password_hash: currentHash })];
      await setTimeout(ARRIVAL_MS);
      return pendingTokens;
    });
    expect(await pendingToken).toBeUndefined();
    expect(await replacePassword(db, 'another', currentHash)).toBe(true);
  });

  it('never accepts an earlier token', async () => {
    const browser = await openSession();
    const oldCookie = browser.cookie as string;
    await postSignIn(browser, account.email, account.password);
    expect(browser.cookie).not.toBe(oldCookie);
    expect(await statusOfMe(openAnonymous(oldCookie))).toBe(401);

    const plantedBrowser = openAnonymous(`florin_session=${'a'.repeat(43)}`);
    await postSignIn(plantedBrowser, account.email, account.password);
    expect(await statusOfMe(openAnonymous(`florin_session=${'a'.repeat(43)}`))).toBe(401);
  });
});

describe('the cookie of a session', () => {
  it('is not accessible to scripts and other sites', async () => {
    const answer = await postSignIn(openAnonymous(), account.email, account.password);
    const [cookie] = answer.headers.getSetCookie();
    expect(cookie).toMatch(
      /^florin_session=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/,
    );
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('has on https a name that other hosts cannot set', () => {
    const url = 'https://pay.example';
    expect(cookieOf(url, 'x')).toMatch(/^__Host-florin_session=x; Path=\/; .*; Secure$/);
    const readToken = (cookie: string) => sessionTokenOf({ headers: { cookie } }, url);
    expect(readToken('a=b; __Host-florin_session=x')).toBe('x');
    expect(readToken('florin_session=x')).toBeUndefined();
    expect(readToken('__Host-florin_session=x; __Host-florin_session=y')).toBeUndefined();
  });

  it('is stored as its hash only', async () => {
    const browser = await openSession();
    const token = browser.cookie?.split('=')[1] as string;
    const rows = await api.fixtures.global.query('select s::text as text from sessions s', []);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.some(({ text }) => text?.includes(token))).toBe(false);
  });
});

describe('a session', () => {
  it('ends when its person signs out', async () => {
    const browser = await openSession();
    const copy = openAnonymous(browser.cookie);
    expect((await browser.send('DELETE', '/dashboard/api/session')).status).toBe(204);
    expect(browser.cookie).toBeUndefined();
    expect(await statusOfMe(copy)).toBe(401);
  });

  it('is recent for a while, and again after the password', async () => {
    const browser = await openSession();
    const readFreshUntil = async () =>
      (await browser.get('/dashboard/api/me')).body.session.fresh_until;
    const firstFreshUntil = await readFreshUntil();
    const oldCookie = browser.cookie as string;
    clock.advance(FRESH_SECONDS);
    const renewSession = (password: string) =>
      browser.send('POST', '/dashboard/api/session/fresh', { password });
    expect((await renewSession('not it, I fear')).status).toBe(422);
    expect((await renewSession(account.password)).status).toBe(204);
    expect(browser.cookie).not.toBe(oldCookie);
    expect(await statusOfMe(openAnonymous(oldCookie))).toBe(401);
    expect((await readFreshUntil()) > firstFreshUntil).toBe(true);
  });

  it('ends after fifteen minutes without use', async () => {
    const browser = await openSession();
    clock.advance(IDLE_SECONDS - 60);
    expect(await statusOfMe(browser)).toBe(200);
    clock.advance(IDLE_SECONDS - 60);
    expect(await statusOfMe(browser)).toBe(200);
    clock.advance(IDLE_SECONDS + 60);
    expect(await statusOfMe(browser)).toBe(401);
  });

  it('left open on a desk ends, although its page polls', async () => {
    const browser = await openSession();
    const [merchant] = (await browser.get('/dashboard/api/me')).body.merchants;
    const poll = { 'florin-background': '1' };
    const scope = { 'florin-merchant': merchant.id, 'florin-mode': 'sandbox', ...poll };
    const poll_seconds = IDLE_SECONDS / 3;
    for (let count = 1; count <= 2; count++) {
      clock.advance(poll_seconds);
      expect((await browser.get('/dashboard/api/me', poll)).status).toBe(200);
      expect((await browser.get('/v2/customers', scope)).status).toBe(200);
    }
    clock.advance(poll_seconds);
    expect((await browser.get('/dashboard/api/me', poll)).status).toBe(401);
    expect(await statusOfMe(browser)).toBe(401);
  });

  it('ends after a week, however much it is used', async () => {
    const browser = await openSession();
    const useSession = () =>
      api.fixtures.global.query('update sessions set seen_at = $1', [instantText(clock.now())]);
    clock.advance(LIFE_SECONDS - 60);
    await useSession();
    expect(await statusOfMe(browser)).toBe(200);
    clock.advance(60);
    await useSession();
    expect(await statusOfMe(browser)).toBe(401);
  });
});

describe('a thief with the cookie of a session', () => {
  it.each(Object.keys(guardedTypes))('writes no %s without the password', async (type) => {
    const browser = await openSession();
    const [merchant] = (await browser.get('/dashboard/api/me')).body.merchants;
    clock.advance(FRESH_SECONDS);
    const thief = openAnonymous(browser.cookie);
    const writeRecord = async (caller: Browser, method: string, path = '') => {
      const headers = { 'florin-merchant': merchant.id, 'florin-mode': 'live' };
      const body = documentOf(type, {});
      const answer = await caller.send(method, `/v2/${type}${path}`, body, headers);
      return answer.body.errors[0].code;
    };
    expect(await writeRecord(thief, 'POST')).toBe('sign_in_again');
    expect(await writeRecord(thief, 'PATCH', `/${merchant.id}`)).toBe('sign_in_again');
    const { password } = account;
    await browser.send('POST', '/dashboard/api/session/fresh', { password });
    expect(await writeRecord(browser, 'POST')).not.toBe('sign_in_again');
  });
});

describe('a request that a page of another site could have sent', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openSession();
  });

  it.each([
    ['without the header of the dashboard', { 'florin-dashboard': null }],
    ['with another origin', { origin: 'https://elsewhere.example' }],
    ['with the origin of a frame without one', { origin: 'null' }],
    ['with the origin of the pay pages', { origin: 'http://pay.localhost' }],
    ['from another site', { 'sec-fetch-site': 'cross-site', origin: null }],
    ['from another host of the same site', { 'sec-fetch-site': 'same-site', origin: null }],
    ['from the address bar', { 'sec-fetch-site': 'none', origin: null }],
  ])('changes nothing: %s', async (_how, headers) => {
    const answer = await browser.send('DELETE', '/dashboard/api/session', undefined, headers);
    expect([answer.status, answer.body.errors[0].code]).toEqual([403, 'forbidden']);
    expect(await statusOfMe(browser)).toBe(200);
  });

  it('is refused as a form', async () => {
    const answer = await browser.send('POST', '/dashboard/api/session/fresh', account, {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(answer.status).toBe(415);
  });

  it.each(['florin-merchant', 'florin-mode'])(
    'is refused at the interface without %s',
    async (name) => {
      const [merchant] = (await browser.get('/dashboard/api/me')).body.merchants;
      const headers = { 'florin-merchant': merchant.id, 'florin-mode': 'sandbox' };
      expect((await browser.get('/v2/customers', headers)).status).toBe(200);
      expect((await browser.get('/v2/customers', { ...headers, [name]: null })).status).toBe(401);
    },
  );
});

const get = (path: string) => fetch(api.stack.baseUrl + path);

/** Value of a directive in the content security policy. */
const directiveOf = (headers: Headers, directive: string): string | undefined =>
  headers
    .get('content-security-policy')
    ?.split(';')
    .map((entry) => entry.trim())
    .find((entry) => entry.startsWith(`${directive} `) || entry === directive)
    ?.slice(directive.length + 1);

describe("the dashboard's page", () => {
  const paths = [
    '',
    '/',
    '/sign-in',
    '/01935f00-0000-7000-8000-000000000000/live/payments',
    '/index.html',
  ];

  it.each(paths)('at /dashboard%s is in no frame, and runs only its own scripts', async (path) => {
    const { status, headers } = await get(`/dashboard${path}`);
    expect([status, headers.get('x-frame-options')]).toEqual([200, 'DENY']);
    expect(directiveOf(headers, 'frame-ancestors')).toBe("'none'");
    expect(directiveOf(headers, 'default-src')).toBe("'none'");
    expect(directiveOf(headers, 'script-src')).toBe("'self'");
    expect(directiveOf(headers, 'base-uri')).toBe("'none'");
    expect(headers.get('content-security-policy')).not.toMatch(/unsafe|\*/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('has a new nonce each time, and no inline script or style', async () => {
    const pages = await Promise.all([get('/dashboard/'), get('/dashboard/')]);
    const [firstPolicy, secondPolicy] = pages.map(({ headers }) =>
      directiveOf(headers, 'style-src'),
    );
    expect(firstPolicy).not.toBe(secondPolicy);
    const html = await (pages[0] as Response).text();
    expect(html).toContain(/nonce-([^']+)/.exec(firstPolicy ?? '')?.[1]);
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=/i);
  });

  it('has immutable files with the right types', async () => {
    const html = await (await get('/dashboard/')).text();
    const files = [...html.matchAll(/(?:src|href)="(\/dashboard\/assets\/[^"]+)"/g)];
    expect(files.length).toBeGreaterThan(1);
    for (const [, file] of files) {
      const { status, headers } = await get(file as string);
      expect([file, status, headers.get('x-content-type-options')]).toEqual([file, 200, 'nosniff']);
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(headers.get('content-type')).toMatch(/^(?:text\/(?:javascript|css)|image\/svg\+xml)/);
    }
  });

  it.each(['none.js', '..%2findex.html', '..%2f..%2fpackage.json', '%2e%2e%2findex.html'])(
    'has no file %s',
    async (name) => {
      const answer = await get(`/dashboard/assets/${name}`);
      expect([answer.status, await answer.text()]).toEqual([
        404,
        expect.stringContaining('"not_found"'),
      ]);
    },
  );
});
