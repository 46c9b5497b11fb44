import { networkPaths } from '@florin/contract/protocol/network.ts';
import { seconds, systemClock } from '@florin/server/platform/time/clock.ts';
import { afterEach, describe, expect, it } from 'vitest';
import {
  amounts,
  answer,
  attributesOf,
  CHALLENGE_OVER_S,
  LONG_TIMEOUT_MS,
  SHORT_TIMEOUT,
  stateOf,
  trusted,
  useBank,
  verify,
} from './support/use-bank.ts';

/** Seconds that the server's clock is ahead, for the end of a test. */
let ahead_s = 0;
afterEach(() => {
  ahead_s = 0;
});
const system = systemClock();
const use = useBank({ clock: { now: () => system.now() + seconds(ahead_s) } });
const statusOf = async (payment: string) => (await attributesOf(use.shop, payment)).status;

describe('a challenge', { timeout: LONG_TIMEOUT_MS }, () => {
  it('#15 that is approved puts the card on the payment, which can then be charged', async () => {
    await using visit = await use.pay(amounts.code);
    const { bank, payment, tab } = visit;
    await answer(bank, '123456');
    const ending = await visit.ending;
    expect(ending).toMatchObject({ ok: true, type: 'payment_method_verified' });
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

  it('#15 is shown over the whole window, and leaves the shop unchanged', async () => {
    await using visit = await use.pay(amounts.code);
    const { bank, page, tab } = visit;
    const frame = page.locator('#form iframe');
    const before = await page.locator('#form').boundingBox();
    await bank.getByLabel('Code from your bank').waitFor();
    const { width, height } = page.viewportSize()!;
    expect(await frame.boundingBox()).toEqual({ x: 0, y: 0, width, height });
    expect(await tab.form.getByRole('dialog').getAttribute('aria-label')).toBe(
      'Confirmation by your bank',
    );
    await answer(bank, '123456');
    await visit.ending;
    await expect.poll(() => page.locator('#form').boundingBox(), SHORT_TIMEOUT).toEqual(before);
  });

  it('#15 of a subscription puts the card on it', async () => {
    const id = await use.shop.makeSubscription(amounts.code);
    await using visit = await verify(await use.open(id));
    await answer(visit.bank, '123456');
    expect(await visit.ending).toMatchObject({ ok: true, detail: { payment_subscription: id } });
    const { attributes, relationships } = await use.shop.fetch('payment_subscriptions', id);
    expect(attributes.threeds_status).toBe('Y');
    expect(relationships.payment_method?.data).toBeTruthy();
  });

  it('#15 of a subscription that fails refuses the card, and another one can be used', async () => {
    const id = await use.shop.makeSubscription(amounts.code);
    await using visit = await verify(await use.open(id));
    for (const code of ['1', '2', '3']) await answer(visit.bank, code);
    expect((await visit.ending).detail.code).toBe('challenge_failed');
    await visit.tab.form.locator('#number').fill('');
    await visit.tab.form.locator('#expiry').fill('');
    expect((await (await verify(visit, trusted)).ending).ok).toBe(true);
  });

  it('#15 that fails three times refuses the card', async () => {
    await using visit = await use.pay(amounts.code);
    for (const code of ['1', '2', '3']) await answer(visit.bank, code);
    const ending = await visit.ending;
    expect(ending).toMatchObject({
      ok: false,
      type: 'payment_method_failed',
      detail: { code: 'challenge_failed' },
    });
    expect(await stateOf(use.shop, ending)).toBe('failed');
    expect(await statusOf(visit.payment)).toBe('incomplete');
    await visit.tab.form.getByText('Your bank could not confirm that it is you.').waitFor();
  });

  it('#15 that is cancelled at the bank is reported as cancelled', async () => {
    await using visit = await use.pay(amounts.code);
    await visit.bank.getByRole('button', { name: 'Cancel' }).click();
    const ending = await visit.ending;
    expect(ending.detail.code).toBe('challenge_cancelled');
    expect(await stateOf(use.shop, ending)).toBe('failed');
  });

  it.each(['the button', 'the keyboard'])(
    "#15 that is cancelled in the form's dialog by %s ends at the server too, and another card can be used",
    async (way) => {
      await using visit = await use.pay(amounts.code);
      const { bank, payment, tab, page } = visit;
      await bank.getByLabel('Code from your bank').waitFor();
      const cancel = tab.form.getByRole('dialog').getByRole('button', { name: 'Cancel' });
      if (way === 'the button') await cancel.click();
      else {
        await cancel.focus();
        await page.keyboard.press('Escape');
      }
      const ending = await visit.ending;
      expect(ending).toMatchObject({
        type: 'payment_method_failed',
        detail: { code: 'challenge_cancelled' },
      });
      expect(await stateOf(use.shop, ending)).toBe('failed');
      await tab.form.locator('#number').fill('');
      await tab.form.locator('#expiry').fill('');
      expect((await (await verify(visit, trusted)).ending).ok).toBe(true);
      expect(await attributesOf(use.shop, payment)).toMatchObject({ status: 'ready', eci: '05' });
    },
  );

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
    const ending = await visit.ending;
    expect(ending).toMatchObject({
      type: 'payment_method_failed',
      detail: { code: 'challenge_timeout' },
    });
    expect(await stateOf(use.shop, ending)).toBe('failed');
  });

  it('#15 with a bank that does hang ends at its time-out', async () => {
    await using visit = await use.pay(amounts.hang);
    await visit.tab.form.getByRole('dialog').waitFor();
    ahead_s = CHALLENGE_OVER_S;
    expect(await visit.ending).toMatchObject({
      ok: false,
      type: 'payment_method_failed',
      detail: { code: 'challenge_timeout' },
    });
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
    await left[Symbol.asyncDispose]();
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

/** Number of authorisations at the simulated network so far. */
async function books(): Promise<{ authorisations: number; approved: number }> {
  const response = await fetch(`${use.shop.stack.simulatorUrl}${networkPaths.books}`);
  return (await response.json()) as { authorisations: number; approved: number };
}
