import { networkPaths } from '@florin/contract/protocol/network.ts';
import { seconds, systemClock } from '@florin/server/platform/time/clock.ts';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  amounts,
  answer,
  asked,
  attributesOf,
  CHALLENGE_OVER_S,
  LONG_TIMEOUT_MS,
  SHORT_TIMEOUT,
  stateOf,
  trusted,
  useBank,
  type Verifying,
  type Visit,
  verify,
} from './support/use-bank.ts';

/** Seconds that the server's clock is ahead, for the end of a test. */
let ahead_s = 0;
afterEach(() => {
  ahead_s = 0;
});
const system = systemClock();
/** Values of threeDSCompInd that the simulated bank received, in order. */
let completions: string[] = [];
beforeEach(() => {
  completions = [];
});
const use = useBank({
  clock: { now: () => system.now() + seconds(ahead_s) },
  onBrowser: ({ method_completion }) => completions.push(method_completion),
});
const statusOf = async (payment: string) => (await attributesOf(use.shop, payment)).status;

/** Enters another card after a refused one. */
async function verifyAgain(visit: Visit, number = asked): Promise<Verifying> {
  await visit.tab.form.locator('#number').fill('');
  await visit.tab.form.locator('#expiry').fill('');
  return verify(visit, number);
}

async function expectRefused(visit: Verifying, code: string): Promise<void> {
  const ending = await visit.ending;
  expect(ending).toMatchObject({ ok: false, type: 'payment_method_failed', detail: { code } });
  expect(await stateOf(use.shop, ending)).toBe('failed');
}

describe('a challenge', { timeout: LONG_TIMEOUT_MS }, () => {
  it('#15 is shown over the whole window, and puts the approved card on the payment', async () => {
    await using visit = await use.pay(amounts.code);
    const { bank, page, payment, tab } = visit;
    const frame = page.locator('#form iframe');
    const before = await page.locator('#form').boundingBox();
    await bank.getByLabel('Code from your bank').waitFor();
    const { width, height } = page.viewportSize()!;
    expect(await frame.boundingBox()).toEqual({ x: 0, y: 0, width, height });
    expect(await tab.form.getByRole('dialog').getAttribute('aria-label')).toBe(
      'Confirmation by your bank',
    );
    await answer(bank, '123456');
    const ending = await visit.ending;
    expect(ending).toMatchObject({ ok: true, type: 'payment_method_verified' });
    await expect.poll(() => page.locator('#form').boundingBox(), SHORT_TIMEOUT).toEqual(before);
    expect(await attributesOf(use.shop, payment)).toMatchObject({
      status: 'ready',
      threeds_status: 'Y',
      threeds_version: '2.2.0',
      eci: '02',
    });
    expect(await stateOf(use.shop, ending)).toBe('confirmed');
    await use.shop.confirm(payment);
    await expect.poll(() => statusOf(payment), SHORT_TIMEOUT).toBe('succeeded');
    expect(tab.complaints).toEqual([]);
  });

  it('#15 of a subscription that fails refuses the card, and an approved one puts it on it', async () => {
    const id = await use.shop.makeSubscription(amounts.code);
    await using visit = await verify(await use.open(id));
    for (const code of ['1', '2', '3']) await answer(visit.bank, code);
    expect((await visit.ending).detail.code).toBe('challenge_failed');
    const again = await verifyAgain(visit);
    await answer(again.bank, '123456');
    expect(await again.ending).toMatchObject({ ok: true, detail: { payment_subscription: id } });
    const { attributes, relationships } = await use.shop.fetch('payment_subscriptions', id);
    expect(attributes.threeds_status).toBe('Y');
    expect(relationships.payment_method?.data).toBeTruthy();
  });

  it('#15 that fails or is cancelled ends at the server too, and another card can be used', async () => {
    await using visit = await use.pay(amounts.code);
    const { bank, payment, tab, page } = visit;
    for (const code of ['1', '2', '3']) await answer(bank, code);
    await expectRefused(visit, 'challenge_failed');
    expect(await statusOf(payment)).toBe('incomplete');
    await tab.form.getByText('Your bank could not confirm that it is you.').waitFor();
    const atBank = await verifyAgain(visit);
    await bank.getByRole('button', { name: 'Cancel' }).click();
    await expectRefused(atBank, 'challenge_cancelled');
    const cancel = tab.form.getByRole('dialog').getByRole('button', { name: 'Cancel' });
    const pressEscape = async () => {
      await cancel.focus();
      await page.keyboard.press('Escape');
    };
    for (const leave of [() => cancel.click(), pressEscape]) {
      const inForm = await verifyAgain(visit);
      await bank.getByLabel('Code from your bank').waitFor();
      await leave();
      await expectRefused(inForm, 'challenge_cancelled');
    }
    expect((await (await verifyAgain(visit, trusted)).ending).ok).toBe(true);
    expect(await attributesOf(use.shop, payment)).toMatchObject({ status: 'ready', eci: '05' });
  });

  it.each(['late', 'duplicate'] as const)(
    '#15 whose result is %s, and contradicted afterwards, counts once',
    async (way) => {
      await using visit = await use.pay(amounts[way]);
      await answer(visit.bank, '123456');
      expect((await visit.ending).ok).toBe(true);
      expect(await attributesOf(use.shop, visit.payment)).toMatchObject({
        status: 'ready',
        threeds_status: 'Y',
      });
    },
  );
});

describe('a pending challenge', { timeout: LONG_TIMEOUT_MS }, () => {
  it('#15 ends at its time-out', async () => {
    await using visit = await use.pay(amounts.code);
    await visit.bank.getByLabel('Code from your bank').waitFor();
    ahead_s = CHALLENGE_OVER_S;
    await expectRefused(visit, 'challenge_timeout');
  });

  it('#15 with a bank that does hang ends at its time-out', async () => {
    await using visit = await use.pay(amounts.hang);
    await visit.tab.form.getByRole('dialog').waitFor();
    ahead_s = CHALLENGE_OVER_S;
    await expectRefused(visit, 'challenge_timeout');
  });

  it('#8 past its time-out is abandoned at the server: a late code puts no card on the payment', async () => {
    await using visit = await use.open(await use.shop.makePayment(amounts.code));
    const { tab, bank, payment } = visit;
    await tab.fill({ number: asked });
    const ending = tab.verify(10_000);
    await bank.getByLabel('Code from your bank').fill('123456');
    // Held until the time-out: the bank's page ends with the challenge.
    expect(await ending).toMatchObject({ ok: false, type: 'payment_timeout' });
    const [method] = await use.shop.methods();
    expect(method?.attributes.external_state).toBe('failed');
    await expect.poll(() => tab.form.getByRole('dialog').count(), SHORT_TIMEOUT).toBe(0);
    const before = await tab.eventNames();
    await tab.page.waitForTimeout(1_500);
    expect(await tab.eventNames()).toEqual(before);
    expect((await attributesOf(use.shop, payment)).status).toBe('incomplete');

    // The vault keeps the verification value no longer than the attempt, so it is typed again.
    await tab.form.locator('#cvv').fill('123');
    const second = tab.verify();
    await answer(bank, '123456');
    expect(await second).toMatchObject({ ok: true, type: 'payment_method_verified' });
    expect(await statusOf(payment)).toBe('ready');
  });
});

describe.concurrent('a challenge that the bank does not ask for', {
  timeout: LONG_TIMEOUT_MS,
}, () => {
  it.each([
    ['error', 'payment_method_error', 'challenge_error'],
    ['unreachable', 'payment_method_failed', 'challenge_unavailable'],
  ] as const)('#15 with a bank that does %s ends as %s with %s', async (way, type, code) => {
    await using visit = await use.pay(amounts[way]);
    expect(await visit.ending).toMatchObject({ ok: false, type, detail: { code } });
  });

  it('#15 and approved elsewhere needs nothing typed', async ({ expect }) => {
    await using visit = await use.pay(amounts.oob);
    expect((await visit.ending).ok).toBe(true);
  });
});

describe('a form that is left at the bank', { timeout: LONG_TIMEOUT_MS }, () => {
  it('#15 resumes when its page is loaded again', async () => {
    await using visit = await use.pay(amounts.code);
    const { bank, payment, page, tab } = visit;
    await bank.getByLabel('Code from your bank').waitFor();
    await page.reload();
    const key = use.shop.publishable_key;
    await page.evaluate(
      ({ key, payment }) => {
        globalThis.seen = [];
        globalThis.florin = new globalThis.Florin(key);
        globalThis.florin.on('payment_method_verified', ({ type, detail }) =>
          globalThis.seen.push({ type, detail }),
        );
        globalThis.florin.mountPaymentForm('form', payment);
      },
      { key, payment },
    );
    await answer(bank, '123456');
    await expect.poll(() => tab.eventNames(), SHORT_TIMEOUT).toEqual(['payment_method_verified']);
    expect(await statusOf(payment)).toBe('ready');
  });

  it('#15 resumes in another tab when its own is closed', async () => {
    const left = await use.pay(amounts.code);
    await left.bank.getByLabel('Code from your bank').waitFor();
    await left.page.context().close();
    await using again = await use.open(left.payment);
    await answer(again.bank, '123456');
    await expect
      .poll(() => again.tab.eventNames(), SHORT_TIMEOUT)
      .toContain('payment_method_verified');
    expect(await statusOf(left.payment)).toBe('ready');
  });
});

describe('two tabs of one payment', { timeout: LONG_TIMEOUT_MS }, () => {
  it('#7 have one authentication: the card that was entered last counts', async () => {
    const payment = await use.shop.makePayment(amounts.code);
    await using opened = await use.open(payment);
    await using also = await use.open(payment);
    const first = await verify(opened);
    await first.bank.getByLabel('Code from your bank').waitFor();
    const second = await verify(also);
    await answer(second.bank, '123456');
    const [replaced, verified] = await Promise.all([first.ending, second.ending]);
    expect(replaced.detail.code).toBe('challenge_replaced');
    expect(verified.ok).toBe(true);
    expect([await stateOf(use.shop, replaced), await stateOf(use.shop, verified)]).toEqual([
      'failed',
      'confirmed',
    ]);
    const { relationships } = await use.shop.fetch('payment_demands', payment);
    expect(relationships.payment_method?.data?.id).toBe(verified.detail.payment_method);
  });

  it('#7 that verify at once and are both confirmed are charged once', async () => {
    const payment = await use.shop.makePayment(amounts.code);
    await using first = await use.open(payment);
    await using second = await use.open(payment);
    const tabs = [first.tab, second.tab];
    await Promise.all(tabs.map((tab) => tab.fill({ number: trusted })));
    const before = await books();
    const endings = await Promise.all(tabs.map((tab) => tab.verify()));
    expect(endings.some(({ ok }) => ok)).toBe(true);
    await Promise.allSettled([1, 2].map(() => use.shop.confirm(payment)));
    await expect.poll(() => statusOf(payment), SHORT_TIMEOUT).toBe('succeeded');
    const { authorisations, approved } = await books();
    expect([authorisations, approved]).toEqual([before.authorisations + 1, before.approved + 1]);
  });
});

describe('the bank’s fingerprint of the browser', { timeout: LONG_TIMEOUT_MS }, () => {
  it.each([
    ['done', 'Y', amounts.code],
    ['slow', 'N', amounts.slowLook],
    ['never over', 'N', amounts.endlessLook],
    ['broken', 'N', amounts.brokenLook],
  ])(
    '#14 that is %s is reported as %s, and no payment waits longer than the limit',
    async (_look, completion, amount) => {
      await using visit = await use.open(await use.shop.makePayment(amount));
      // The bank looks at the browser while the rest of the card is typed.
      await visit.tab.type({ number: trusted });
      expect((await visit.tab.verify()).ok).toBe(true);
      expect(completions).toEqual([completion]);
      expect((await attributesOf(use.shop, visit.payment)).threeds_status).toBe('Y');
    },
  );

  it('#14 that never started, because the whole card was there at once, is reported as U', async () => {
    const payment = await use.shop.makePayment(amounts.code);
    await using visit = await use.open(payment, { own: true });
    await visit.page.route('**/frame/v1/fingerprint', (route) => route.abort());
    await visit.tab.fill({ number: trusted });
    expect((await visit.tab.verify()).ok).toBe(true);
    expect(completions).toEqual(['U']);
  });
});

describe('a hostile page of a bank', { timeout: LONG_TIMEOUT_MS }, () => {
  it('#16 cannot take over the shop, open, download or go back, or impersonate the form', async () => {
    await using visit = await use.pay(amounts.hostile, asked, { own: true });
    const { bank, page, tab, payment } = visit;
    const [popups, downloads, dialogs]: [Page[], string[], string[]] = [[], [], []];
    page.context().on('page', (popup) => popups.push(popup));
    page.on('download', (download) => downloads.push(download.suggestedFilename()));
    page.on('dialog', (dialog) => dialogs.push(dialog.message()));
    await page.evaluate(() => {
      document.title = 'Still here';
    });
    await bank.getByLabel('Code from your bank').waitFor();
    // The page's attempts come late; its last step reports that all were made.
    await bank.locator('[data-tried]').waitFor({ state: 'attached', ...SHORT_TIMEOUT });
    expect([page.url(), await page.title()]).toEqual([`${use.shop.shop}/`, 'Still here']);
    expect([popups, downloads, dialogs]).toEqual([[], [], []]);
    expect((await tab.eventNames()).filter((name) => /verified|approved/.test(name))).toEqual([]);
    expect((await attributesOf(use.shop, payment)).status).toBe('incomplete');
    await answer(bank, '123456');
    expect((await visit.ending).ok).toBe(true);
    expect((await tab.eventNames()).filter((name) => /verified/.test(name)).length).toBe(1);
    expect(new URL(page.url()).pathname).toBe('/');
  });
});

/** Number of authorisations at the simulated network so far. */
async function books(): Promise<{ authorisations: number; approved: number }> {
  const response = await fetch(`${use.shop.stack.simulatorUrl}${networkPaths.books}`);
  return (await response.json()) as { authorisations: number; approved: number };
}
