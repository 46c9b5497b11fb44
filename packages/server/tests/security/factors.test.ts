import { TOTP } from 'otpauth';
import { beforeAll, describe, expect, it } from 'vitest';
import { FACTOR_GRACE_DAYS } from '../../src/features/people/access/factor-rule.ts';
import { GUESSES_MAX } from '../../src/features/people/accounts/guess-limit.ts';
import { FRESH_SECONDS } from '../../src/features/people/accounts/sessions.ts';
import { instantText, seconds } from '../../src/platform/time/clock.ts';
import { useOwnStack } from '../support/api.ts';
import { type Browser, openBrowser } from '../support/browser.ts';
import { documentOf } from '../support/client.ts';
import { createClockAhead } from '../support/clock-ahead.ts';
import { waitForEmails, waitForLinkToken } from '../support/mailbox.ts';
import { eventually } from '../support/make.ts';
import {
  codesOf,
  fetchMe,
  invite,
  type Opener,
  PASSWORD,
  peopleOf,
  post,
} from '../support/people.ts';

const clock = createClockAhead();
const api = useOwnStack({ config: { clock, strict_sign_in: true } });
const { makeNewcomer, makeOpener } = peopleOf(api);
let visitor: Browser;
beforeAll(() => {
  visitor = openBrowser(api.stack.baseUrl);
});

const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret }).generate({ timestamp: clock.now() / 1_000 + steps * 30_000 });

/** Formats a code as authenticators show it: `978 639`. */
const formatCode = (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`;

describe('the codes of an authenticator', () => {
  async function makeTotpAccount() {
    const { browser, email } = await makeNewcomer();
    const { secret, uri } = (await post(browser, 'account/totp')).body;
    expect(uri).toContain(`secret=${secret}`);
    const cookie = browser.cookie;
    const confirmation = await post(browser, 'account/totp/confirm', {
      code: formatCode(codeOf(secret)),
    });
    expect(confirmation.status).toBe(200);
    expect(browser.cookie).not.toBe(cookie);
    return { browser, email, secret, recoveryCodes: confirmation.body.recovery_codes as string[] };
  }

  async function submitPassword(email: string): Promise<Browser> {
    const browser = openBrowser(api.stack.baseUrl);
    const answer = await post(browser, 'session', { email, password: PASSWORD });
    expect(answer.body.awaits).toEqual(['totp', 'recovery_code']);
    return browser;
  }

  it('are required after the password, which alone opens nothing', async () => {
    const { email, secret } = await makeTotpAccount();
    const browser = await submitPassword(email);
    expect((await browser.get('/dashboard/api/me')).status).toBe(401);
    const pendingCookie = browser.cookie;
    clock.advance(60);
    const code = ` ${formatCode(codeOf(secret))}`;
    expect((await post(browser, 'session/code', { code })).status).toBe(201);
    expect((await fetchMe(browser)).account.totp).toBe(true);
    const staleBrowser = openBrowser(api.stack.baseUrl, pendingCookie);
    expect((await staleBrowser.get('/dashboard/api/me')).status).toBe(401);
    expect((await post(staleBrowser, 'session/code', { code: '123456' })).status).toBe(401);
  });

  it('are accepted once each, and one step early or late', async () => {
    const { email, secret } = await makeTotpAccount();
    clock.advance(90);
    const lateCode = codeOf(secret, -1);
    expect(
      (await post(await submitPassword(email), 'session/code', { code: lateCode })).status,
    ).toBe(201);
    const repeatedAnswer = await post(await submitPassword(email), 'session/code', {
      code: lateCode,
    });
    expect(codesOf(repeatedAnswer)).toEqual([['wrong_code', { pointer: '/code' }]]);
    const tooEarlyAnswer = await post(await submitPassword(email), 'session/code', {
      code: codeOf(secret, 2),
    });
    expect(tooEarlyAnswer.status).toBe(422);
    const earlyCode = codeOf(secret, 1);
    expect(
      (await post(await submitPassword(email), 'session/code', { code: earlyCode })).status,
    ).toBe(201);
  });

  it('can be tried a limited number of times, the right one included', async () => {
    const { email, secret } = await makeTotpAccount();
    clock.advance(60);
    const browser = await submitPassword(email);
    for (let count = 0; count < GUESSES_MAX; count++) {
      expect((await post(browser, 'session/code', { code: '000000' })).status).toBe(422);
    }
    expect((await post(browser, 'session/code', { code: codeOf(secret) })).status).toBe(422);
  });

  it('can be replaced by recovery codes, each once', async () => {
    const { email, recoveryCodes } = await makeTotpAccount();
    expect(recoveryCodes).toHaveLength(10);
    const code = (recoveryCodes[0] as string).toUpperCase().replaceAll('-', ' ');
    expect((await post(await submitPassword(email), 'session/code', { code })).status).toBe(201);
    expect((await post(await submitPassword(email), 'session/code', { code })).status).toBe(422);
  });

  it('are removed only after a recent sign-in, and their person is notified', async () => {
    const { browser, email } = await makeTotpAccount();
    clock.advance(FRESH_SECONDS);
    const refusal = await browser.send('DELETE', '/dashboard/api/account/totp');
    expect(codesOf(refusal)).toEqual([['sign_in_again', undefined]]);
    expect((await post(browser, 'session/fresh', { password: PASSWORD })).status).toBe(204);
    expect((await browser.send('DELETE', '/dashboard/api/account/totp')).status).toBe(204);
    await waitForEmails(visitor, email, 'factors_changed', 2);
    expect((await browser.get('/dashboard/api/account/factors')).body).toEqual({
      totp: false,
      recovery_codes_left: 0,
      passkeys: [],
    });
  });

  it('have their keys stored sealed', async () => {
    const { email, secret } = await makeTotpAccount();
    const [row] = await api.fixtures.global.query(
      'select totp_secret from accounts where email = $1',
      [email],
    );
    expect(row?.totp_secret).not.toContain(secret);
  });
});

describe('a thief with the password of a member without a second factor', () => {
  const DAY_SECONDS = 24 * 60 * 60;
  const signInAs = async (email: string) => {
    const browser = openBrowser(api.stack.baseUrl);
    await post(browser, 'session', { email, password: PASSWORD });
    return browser;
  };
  let phones = 10;
  /** An unchanged value would be no write. */
  const nextPhoneNumber = () => `+331234567${phones++}`;
  /** Statuses of requests to live mode, and through the sandbox to settings that live mode shares. */
  const liveStatuses = async (
    browser: Browser,
    { id, headers }: Pick<Opener, 'id' | 'headers'>,
  ) => {
    const sandbox = { ...headers, 'florin-mode': 'sandbox' };
    const change = documentOf('merchants', { phone_number: nextPhoneNumber() }, {}, id);
    return [
      (await browser.get('/v2/customers', headers)).status,
      (await browser.send('POST', '/v2/customers', CUSTOMER, headers)).status,
      (await browser.get('/dashboard/api/audit_entries', headers)).status,
      (await browser.send('PATCH', `/v2/merchants/${id}`, change, sandbox)).status,
      (await browser.get('/dashboard/api/application', sandbox)).status,
    ];
  };
  const CUSTOMER = documentOf('customers', { email: 'ada@example.com' });
  const READ_OR_DONE = [200, 201, 200, 200, 200];
  const WITHHELD = [403, 403, 403, 403, 403];

  it('has no live permissions once the grace period is over, and those of the sandbox', async () => {
    const merchant = await makeOpener();
    expect(await liveStatuses(await signInAs(merchant.email), merchant)).toEqual(READ_OR_DONE);
    clock.advance(FACTOR_GRACE_DAYS * DAY_SECONDS);
    const browser = await signInAs(merchant.email);
    expect(await liveStatuses(browser, merchant)).toEqual(WITHHELD);
    const refusal = await browser.get('/v2/customers', merchant.headers);
    expect(refusal.body.errors[0].detail).toContain('Set up an authenticator or a passkey');
    const sandbox = { ...merchant.headers, 'florin-mode': 'sandbox' };
    expect((await browser.send('POST', '/v2/customers', CUSTOMER, sandbox)).status).toBe(201);
    const { live_needs_factor } = (await fetchMe(browser)).merchants[0];
    expect([live_needs_factor.is_due, typeof live_needs_factor.due_at]).toEqual([true, 'string']);
    const { secret } = (await post(browser, 'account/totp')).body;
    await post(browser, 'account/totp/confirm', { code: codeOf(secret) });
    expect(await liveStatuses(browser, merchant)).toEqual(READ_OR_DONE);
    expect((await fetchMe(browser)).merchants[0].live_needs_factor).toBeNull();
  });

  it('has the grace period of an account that is older than the requirement', async () => {
    const merchant = await makeOpener();
    await api.fixtures.global.query(
      `update accounts set factor_grace_until = $2 where email = $1`,
      [merchant.email, instantText(clock.now() + seconds(2 * FACTOR_GRACE_DAYS * DAY_SECONDS))],
    );
    clock.advance(FACTOR_GRACE_DAYS * DAY_SECONDS);
    expect(await liveStatuses(await signInAs(merchant.email), merchant)).toEqual(READ_OR_DONE);
    clock.advance(FACTOR_GRACE_DAYS * DAY_SECONDS);
    expect(await liveStatuses(await signInAs(merchant.email), merchant)).toEqual(WITHHELD);
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
  const summariesOf = (entries: readonly Entry[]) =>
    entries.map(({ action, outcome }) => `${action.replace('/dashboard/api/', '')} ${outcome}`);

  it('lists sign-ins and sign-outs of its members, including failures, without secrets', async () => {
    const merchant = await makeOpener();
    const { browser, email } = merchant;
    const { secret } = (await post(browser, 'account/totp')).body;
    await post(browser, 'account/totp/confirm', { code: codeOf(secret) });
    clock.advance(60);
    const otherBrowser = openBrowser(api.stack.baseUrl);
    const guess = { email, password: 'a guess of mine' };
    expect((await post(otherBrowser, 'session', guess)).status).toBe(422);
    // Failures are logged after the response.
    await eventually(
      () => logOf(merchant),
      (entries) => entries.length === 3,
    );
    await post(otherBrowser, 'session', { email, password: PASSWORD });
    const wrongCode = { code: '000000' };
    expect((await post(otherBrowser, 'session/code', wrongCode)).status).toBe(422);
    expect((await post(otherBrowser, 'session/code', { code: codeOf(secret) })).status).toBe(201);
    await otherBrowser.send('DELETE', '/dashboard/api/session');
    await post(visitor, 'password_resets', { email });
    const token = await waitForLinkToken(visitor, email, 'reset_password');
    await post(visitor, 'links/use', { token, password: 'another mill and store' });
    await post(otherBrowser, 'session', { email, password: 'another mill and store' });
    await post(otherBrowser, 'session/code', { code: codeOf(secret, 1) });
    const entries = await logOf({ ...merchant, browser: otherBrowser });
    expect(summariesOf(entries)).toEqual([
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
    const [owner, inviter] = [await makeOpener(), await makeOpener()];
    const { body } = await post(owner.browser, 'merchants', { business_name: 'Looms' });
    const secondMerchant = { ...owner, headers: { ...owner.headers, 'florin-merchant': body.id } };
    await invite(inviter, owner.email);
    await post(visitor, 'session', { email: owner.email, password: PASSWORD });
    for (const merchant of [owner, secondMerchant]) {
      const [entry] = await logOf(merchant);
      expect([entry?.action, entry?.account.email]).toEqual([
        'POST /dashboard/api/session',
        owner.email,
      ]);
    }
    expect(summariesOf(await logOf(inviter))).toEqual(['POST /v2/memberships 201']);
  });

  it('has one entry of a failure for all merchants of the member, and none from before', async () => {
    const [owner, inviter] = [await makeOpener(), await makeOpener()];
    const { body } = await post(owner.browser, 'merchants', { business_name: 'Looms' });
    const secondMerchant = { ...owner, headers: { ...owner.headers, 'florin-merchant': body.id } };
    await post(visitor, 'session', { email: owner.email, password: 'a guess of mine' });
    for (const merchant of [owner, secondMerchant]) {
      const entries = await eventually(
        () => logOf(merchant),
        ({ length }) => length > 0,
      );
      expect(summariesOf(entries)).toEqual(['POST session 422']);
    }
    const storedEntries = await api.fixtures.db.query(
      `select 1 from audit_entries e join accounts a on a.id = e.account_id
       where a.email = $1 and e.outcome = 422`,
      [owner.email],
    );
    expect(storedEntries).toHaveLength(1);
    await invite(inviter, owner.email);
    const token = await waitForLinkToken(visitor, owner.email, 'invitation');
    // Viewing a link changes nothing.
    await post(owner.browser, 'links/look', { token });
    expect(summariesOf(await logOf(owner))).toEqual(['POST session 422']);
    await post(owner.browser, 'links/use', { token });
    expect(summariesOf(await logOf(inviter))).toEqual(['POST /v2/memberships 201']);
  });

  it('gets at most as many failures as the limit allows', async () => {
    const merchant = await makeOpener();
    const guess = { email: merchant.email, password: 'a guess of mine' };
    for (let count = 0; count < GUESSES_MAX + 3; count++) await post(visitor, 'session', guess);
    const readLog = () => logOf(merchant);
    await eventually(readLog, (entries) => entries.length >= GUESSES_MAX);
    expect(await readLog()).toHaveLength(GUESSES_MAX);
  });
});

describe('the passkeys of an account', () => {
  it('use a challenge that no one else can use', async () => {
    const options = (await post(visitor, 'session/passkey/options')).body;
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
    const forgedCredential = { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response: {} };
    const answer = await post(visitor, 'session/passkey', { response: forgedCredential });
    expect(codesOf(answer)).toEqual([['wrong_credentials', undefined]]);
    const { browser } = await makeNewcomer();
    const addAnswer = await post(browser, 'account/passkeys', {
      name: 'Key',
      response: forgedCredential,
    });
    expect(codesOf(addAnswer)).toEqual([['wrong_code', { pointer: '/response' }]]);
  });
});
