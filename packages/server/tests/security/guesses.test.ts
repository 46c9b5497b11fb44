import { TOTP } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { GUESS_WINDOWS, GUESSES_MAX } from '../../src/features/people/accounts/guess-limit.ts';
import { useOwnStack } from '../support/api.ts';
import type { Browser } from '../support/browser.ts';
import { createClockAhead } from '../support/clock-ahead.ts';
import { waitForLinkToken } from '../support/mailbox.ts';
import { PASSWORD, peopleOf, post } from '../support/people.ts';

const [{ window_seconds: FIRST_WINDOW_SECONDS }] = GUESS_WINDOWS;
const clock = createClockAhead();
const api = useOwnStack({ config: { clock } });
const { makeNewcomer, openAnonymous } = peopleOf(api);

const signIn = async (browser: Browser, email: string, password = PASSWORD) =>
  (await post(browser, 'session', { email, password })).status;

/** Guesses from new browsers, until the account accepts no more. */
async function guess(email: string, count = GUESSES_MAX): Promise<void> {
  for (let guesses = 0; guesses < count; guesses++)
    expect(await signIn(openAnonymous(), email, 'a guess of mine')).toBe(422);
}

describe('an attacker who knows the email of a person', () => {
  it('gets no answer after ten guesses, and does not lock the person out', async () => {
    const { email, browser } = await makeNewcomer();
    await browser.send('DELETE', '/dashboard/api/session');
    await guess(email);
    expect(await signIn(openAnonymous(), email)).toBe(422);
    expect(await signIn(browser, email)).toBe(201);
    // Guesses are still refused after the person's sign-in.
    expect(await signIn(openAnonymous(), email)).toBe(422);
    const metrics = await (await fetch(`${api.stack.baseUrl}/metrics`)).text();
    expect(metrics).toMatch(/^florin_sign_ins_refused_total 2$/m);
  });

  it('does not keep the person out of a new browser: a link by email opens it', async () => {
    const { email } = await makeNewcomer();
    await guess(email);
    const newBrowser = openAnonymous();
    expect(await signIn(newBrowser, email)).toBe(422);
    await post(newBrowser, 'password_resets', { email });
    const token = await waitForLinkToken(newBrowser, email, 'reset_password');
    const password = 'another mill and store';
    expect((await post(newBrowser, 'links/use', { token, password })).status).toBe(200);
    expect(await signIn(newBrowser, email, password)).toBe(201);
    expect(await signIn(openAnonymous(), email, password)).toBe(422);
  });

  it('cannot use the cookie of a browser that is known for another person', async () => {
    const [victim, attacker] = [await makeNewcomer(), await makeNewcomer()];
    await guess(victim.email);
    expect(attacker.browser.device).toMatch(/^florin_device=/);
    expect(await signIn(attacker.browser, victim.email)).toBe(422);
    const forged = openAnonymous();
    forged.device = `florin_device=${'a'.repeat(22)}.${'a'.repeat(43)}`;
    expect(await signIn(forged, victim.email)).toBe(422);
  });

  it('waits longer after each ten guesses, up to a day', async () => {
    const { email } = await makeNewcomer();
    let waited_seconds = 0;
    for (const { window_seconds } of GUESS_WINDOWS) {
      await guess(email);
      expect(await signIn(openAnonymous(), email)).toBe(422);
      clock.advance(window_seconds - waited_seconds - 60);
      expect(await signIn(openAnonymous(), email)).toBe(422);
      // The refused sign-in above counts in the first window.
      clock.advance(60 + FIRST_WINDOW_SECONDS);
      waited_seconds = window_seconds + FIRST_WINDOW_SECONDS;
    }
    expect(await signIn(openAnonymous(), email)).toBe(201);
  });

  it('cannot tell from the answers whether the account exists', async () => {
    const { email } = await makeNewcomer();
    const answersFor = async (address: string) => {
      const answers = [];
      for (let guesses = 0; guesses <= GUESSES_MAX; guesses++) {
        const credentials = { email: address, password: 'a guess of mine' };
        const { status, body, headers } = await post(openAnonymous(), 'session', credentials);
        answers.push([status, body.errors[0].detail, headers.getSetCookie()]);
      }
      return answers;
    };
    expect(await answersFor(email)).toEqual(await answersFor('nobody@example.com'));
  });
});

describe('an attacker who reads the mailbox', () => {
  it('guesses ten codes, however many links reset the password', async () => {
    const { email, browser } = await makeNewcomer();
    const { secret } = (await post(browser, 'account/totp')).body;
    const codeOf = () => new TOTP({ secret }).generate({ timestamp: clock.now() / 1_000 });
    await post(browser, 'account/totp/confirm', { code: codeOf() });
    clock.advance(60);
    let links = 0;
    const openByLink = async (password: string): Promise<Browser> => {
      links += 1;
      const linkBrowser = openAnonymous();
      await post(linkBrowser, 'password_resets', { email });
      const token = await waitForLinkToken(linkBrowser, email, 'reset_password', links);
      expect((await post(linkBrowser, 'links/use', { token, password })).status).toBe(200);
      return linkBrowser;
    };
    const attacker = await openByLink('another mill and store');
    for (let guesses = 0; guesses < GUESSES_MAX; guesses++) {
      expect(await signIn(attacker, email, 'another mill and store')).toBe(201);
      expect((await post(attacker, 'session/code', { code: '000000' })).status).toBe(422);
    }
    const again = await openByLink('a third mill and store');
    expect(await signIn(again, email, 'a third mill and store')).toBe(201);
    // Even the right code gets no answer.
    expect((await post(again, 'session/code', { code: codeOf() })).status).toBe(422);
    expect(await signIn(browser, email, 'a third mill and store')).toBe(201);
    expect((await post(browser, 'session/code', { code: codeOf() })).status).toBe(201);
  });
});

describe('an attacker who knows the password', () => {
  it('guesses ten codes, gets no known browser, and does not lock the person out', async () => {
    const { email, browser } = await makeNewcomer();
    const { secret } = (await post(browser, 'account/totp')).body;
    const codeOf = () => new TOTP({ secret }).generate({ timestamp: clock.now() / 1_000 });
    await post(browser, 'account/totp/confirm', { code: codeOf() });
    clock.advance(60);
    const attacker = openAnonymous();
    for (let guesses = 0; guesses < GUESSES_MAX; guesses++) {
      expect(await signIn(attacker, email)).toBe(201);
      expect((await post(attacker, 'session/code', { code: '000000' })).status).toBe(422);
    }
    expect(attacker.device).toBeUndefined();
    expect((await post(attacker, 'session/code', { code: codeOf() })).status).toBe(422);
    await browser.send('DELETE', '/dashboard/api/session');
    expect(await signIn(browser, email)).toBe(201);
    expect((await post(browser, 'session/code', { code: codeOf() })).status).toBe(201);
  });
});
