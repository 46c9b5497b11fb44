import { TOTP } from 'otpauth';
import { beforeAll, describe, expect, it } from 'vitest';
import { TRIES_MAX } from '../../src/features/people/accounts/passwords.ts';
import { CODE_TRIES_MAX } from '../../src/features/people/accounts/second-factor.ts';
import { FRESH_SECONDS } from '../../src/features/people/accounts/sessions.ts';
import { useOwnStack } from '../support/api.ts';
import { type Browser, openBrowser } from '../support/browser.ts';
import { clockAhead } from '../support/clock-ahead.ts';
import { lettersTo, tokenTo } from '../support/mailbox.ts';
import { eventually } from '../support/make.ts';
import { codesOf, invite, me, type Opener, PASSWORD, peopleOf, post } from '../support/people.ts';

const clock = clockAhead();
const api = useOwnStack({ config: { clock } });
const { newcomer, opener } = peopleOf(api);
let visitor: Browser;
beforeAll(() => {
  visitor = openBrowser(api.stack.baseUrl);
});

const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret }).generate({ timestamp: clock.now() / 1_000 + steps * 30_000 });

/** As authenticators show it: `978 639`. */
const asShown = (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`;

describe('the codes of an authenticator', () => {
  async function withTotp() {
    const { browser, email } = await newcomer();
    const { secret, uri } = (await post(browser, 'account/totp')).body;
    expect(uri).toContain(`secret=${secret}`);
    const cookie = browser.cookie;
    const confirmed = await post(browser, 'account/totp/confirm', {
      code: asShown(codeOf(secret)),
    });
    expect(confirmed.status).toBe(200);
    expect(browser.cookie).not.toBe(cookie);
    return { browser, email, secret, recovery: confirmed.body.recovery_codes as string[] };
  }

  async function passwordGiven(email: string): Promise<Browser> {
    const browser = openBrowser(api.stack.baseUrl);
    const answer = await post(browser, 'session', { email, password: PASSWORD });
    expect(answer.body.awaits).toEqual(['totp', 'recovery_code']);
    return browser;
  }

  it('are required after the password, which alone opens nothing', async () => {
    const { email, secret } = await withTotp();
    const browser = await passwordGiven(email);
    expect((await browser.get('/dashboard/api/me')).status).toBe(401);
    const waiting = browser.cookie;
    clock.advance(60);
    const code = ` ${asShown(codeOf(secret))}`;
    expect((await post(browser, 'session/code', { code })).status).toBe(201);
    expect((await me(browser)).account.totp).toBe(true);
    const before = openBrowser(api.stack.baseUrl, waiting);
    expect((await before.get('/dashboard/api/me')).status).toBe(401);
    expect((await post(before, 'session/code', { code: '123456' })).status).toBe(401);
  });

  it('are accepted once each, and one step early or late', async () => {
    const { email, secret } = await withTotp();
    clock.advance(90);
    const late = codeOf(secret, -1);
    expect((await post(await passwordGiven(email), 'session/code', { code: late })).status).toBe(
      201,
    );
    const again = await post(await passwordGiven(email), 'session/code', { code: late });
    expect(codesOf(again)).toEqual([['wrong_code', { pointer: '/code' }]]);
    const tooEarly = await post(await passwordGiven(email), 'session/code', {
      code: codeOf(secret, 2),
    });
    expect(tooEarly.status).toBe(422);
    const early = codeOf(secret, 1);
    expect((await post(await passwordGiven(email), 'session/code', { code: early })).status).toBe(
      201,
    );
  });

  it('can be tried a limited number of times, the right one included', async () => {
    const { email, secret } = await withTotp();
    clock.advance(60);
    const browser = await passwordGiven(email);
    for (let count = 0; count < CODE_TRIES_MAX; count++) {
      expect((await post(browser, 'session/code', { code: '000000' })).status).toBe(422);
    }
    expect((await post(browser, 'session/code', { code: codeOf(secret) })).status).toBe(422);
  });

  it('can be replaced by recovery codes, each once', async () => {
    const { email, recovery } = await withTotp();
    expect(recovery).toHaveLength(10);
    const code = (recovery[0] as string).toUpperCase().replaceAll('-', ' ');
    expect((await post(await passwordGiven(email), 'session/code', { code })).status).toBe(201);
    expect((await post(await passwordGiven(email), 'session/code', { code })).status).toBe(422);
  });

  it('are removed only after a recent sign-in, and their person is notified', async () => {
    const { browser, email } = await withTotp();
    clock.advance(FRESH_SECONDS);
    const refused = await browser.send('DELETE', '/dashboard/api/account/totp');
    expect(codesOf(refused)).toEqual([['sign_in_again', undefined]]);
    expect((await post(browser, 'session/fresh', { password: PASSWORD })).status).toBe(204);
    expect((await browser.send('DELETE', '/dashboard/api/account/totp')).status).toBe(204);
    await lettersTo(visitor, email, 'factors_changed', 2);
    expect((await browser.get('/dashboard/api/account/factors')).body).toEqual({
      totp: false,
      recovery_codes_left: 0,
      passkeys: [],
    });
  });

  it('have their keys stored sealed', async () => {
    const { email, secret } = await withTotp();
    const [row] = await api.fixtures.db.query('select totp_secret from accounts where email = $1', [
      email,
    ]);
    expect(row?.totp_secret).not.toContain(secret);
  });
});

describe('the audit log of a merchant', () => {
  interface Entry {
    readonly action: string;
    readonly outcome: number | null;
    readonly ip: string;
    readonly account: { readonly email: string };
  }
  const logOf = async ({ browser, headers }: Opener): Promise<readonly Entry[]> =>
    (await browser.get('/dashboard/api/audit_entries', headers)).body.data;
  const verbsOf = (entries: readonly Entry[]) =>
    entries.map(({ action, outcome }) => `${action.replace('/dashboard/api/', '')} ${outcome}`);

  it('lists sign-ins and sign-outs of its members, including failures, without secrets', async () => {
    const merchant = await opener();
    const { browser, email } = merchant;
    const { secret } = (await post(browser, 'account/totp')).body;
    await post(browser, 'account/totp/confirm', { code: codeOf(secret) });
    clock.advance(60);
    const other = openBrowser(api.stack.baseUrl);
    const guess = { email, password: 'a guess of mine' };
    expect((await post(other, 'session', guess)).status).toBe(422);
    // Failures are logged after the response.
    await eventually(
      () => logOf(merchant),
      (entries) => entries.length === 3,
    );
    await post(other, 'session', { email, password: PASSWORD });
    const wrong = { code: '000000' };
    expect((await post(other, 'session/code', wrong)).status).toBe(422);
    expect((await post(other, 'session/code', { code: codeOf(secret) })).status).toBe(201);
    await other.send('DELETE', '/dashboard/api/session');
    await post(visitor, 'password_resets', { email });
    const token = await tokenTo(visitor, email, 'reset_password');
    await post(visitor, 'links/use', { token, password: 'another mill and store' });
    await post(other, 'session', { email, password: 'another mill and store' });
    await post(other, 'session/code', { code: codeOf(secret, 1) });
    const entries = await logOf({ ...merchant, browser: other });
    expect(verbsOf(entries)).toEqual([
      'POST session/code 201',
      'POST session 201',
      'POST links/use 200',
      'POST password_resets 202',
      'DELETE session 204',
      'POST session/code 201',
      'POST session/code 422',
      'POST session 201',
      'POST session 422',
      'POST account/totp/confirm 200',
      'POST account/totp 200',
    ]);
    expect(new Set(entries.map(({ ip }) => ip))).toEqual(new Set(['127.0.0.1']));
    // Ids and times may contain any digits.
    const auditText = JSON.stringify(entries, (name, value) =>
      name === 'id' || name.endsWith('_at') ? undefined : value,
    );
    expect(auditText).not.toMatch(/guess|another|000000/);
  });

  it('is shown to every merchant of a member, and to none of an invited person', async () => {
    const [one, other] = [await opener(), await opener()];
    const { body } = await post(one.browser, 'merchants', { business_name: 'Looms' });
    const second = { ...one, headers: { ...one.headers, 'florin-merchant': body.id } };
    await invite(other, one.email);
    await post(visitor, 'session', { email: one.email, password: PASSWORD });
    for (const merchant of [one, second]) {
      const [entry] = await logOf(merchant);
      expect([entry?.action, entry?.account.email]).toEqual([
        'POST /dashboard/api/session',
        one.email,
      ]);
    }
    expect(verbsOf(await logOf(other))).toEqual(['POST /v2/memberships 201']);
  });

  it('has one entry of a failure for all merchants of the member, and none from before', async () => {
    const [one, other] = [await opener(), await opener()];
    const { body } = await post(one.browser, 'merchants', { business_name: 'Looms' });
    const second = { ...one, headers: { ...one.headers, 'florin-merchant': body.id } };
    await post(visitor, 'session', { email: one.email, password: 'a guess of mine' });
    for (const merchant of [one, second]) {
      const entries = await eventually(
        () => logOf(merchant),
        ({ length }) => length > 0,
      );
      expect(verbsOf(entries)).toEqual(['POST session 422']);
    }
    const stored = await api.fixtures.db.query(
      `select 1 from audit_entries e join accounts a on a.id = e.account_id
       where a.email = $1 and e.outcome = 422`,
      [one.email],
    );
    expect(stored).toHaveLength(1);
    await invite(other, one.email);
    const token = await tokenTo(visitor, one.email, 'invitation');
    // Viewing a link changes nothing.
    await post(one.browser, 'links/look', { token });
    expect(verbsOf(await logOf(one))).toEqual(['POST session 422']);
    await post(one.browser, 'links/use', { token });
    expect(verbsOf(await logOf(other))).toEqual(['POST /v2/memberships 201']);
  });

  it('gets at most as many failures as the limit allows', async () => {
    const merchant = await opener();
    const guess = { email: merchant.email, password: 'a guess of mine' };
    for (let count = 0; count < TRIES_MAX + 3; count++) await post(visitor, 'session', guess);
    const readLog = () => logOf(merchant);
    await eventually(readLog, (entries) => entries.length >= TRIES_MAX);
    expect(await readLog()).toHaveLength(TRIES_MAX);
  });
});

describe('the passkeys of an account', () => {
  it('use a challenge that no one else can use', async () => {
    const options = (await post(visitor, 'session/passkey/options')).body;
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
    const forged = { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response: {} };
    const answer = await post(visitor, 'session/passkey', { response: forged });
    expect(codesOf(answer)).toEqual([['wrong_credentials', undefined]]);
    const { browser } = await newcomer();
    const added = await post(browser, 'account/passkeys', { name: 'Key', response: forged });
    expect(codesOf(added)).toEqual([['wrong_code', { pointer: '/response' }]]);
  });
});
