import { sandboxCards } from '@florin/contract/card/sandbox-cards.ts';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type BankShop, openBankShop } from './support/bank-shop.ts';
import { launchBrowser } from './support/browser.ts';
import { type CheckoutPage, type Ending, openCheckout } from './support/checkout-page.ts';

const numberOf = (token: string): string =>
  sandboxCards.find((card) => card.token === token)!.number;
const asked = numberOf('pan_test_threeds_challenge');
const trusted = numberOf('pan_test_visa');

/** Amounts that make the simulated bank behave in a way of its own; see the README. */
const amounts = {
  code: 2499,
  slowLook: 9801,
  endlessLook: 9802,
  brokenLook: 9803,
  oob: 9821,
  hang: 9822,
  unreachable: 9823,
  unframeable: 9824,
  error: 9825,
  late: 9826,
  duplicate: 9827,
  hostile: 9828,
} as const;

/** The bank's waits are a fifth of what they are, and the cardholder's time is much shorter. */
const PACE = 0.2;
const CHALLENGE_LIMIT_MS = 10_000;
const PATIENCE_MS = 45_000;
const SOON = { timeout: 10_000 };
const LOOK_LIMIT_MS = 1_000;

let shop: BankShop;
let browser: Browser;
let opened: CheckoutPage[] = [];

beforeAll(async () => {
  const config = { challenge_limit_ms: CHALLENGE_LIMIT_MS, fingerprint_limit_ms: LOOK_LIMIT_MS };
  [shop, browser] = await Promise.all([openBankShop({ pace: PACE, config }), launchBrowser()]);
});
afterEach(async () => {
  await Promise.all(opened.map(({ page }) => page.context().close()));
  opened = [];
});
afterAll(async () => {
  await browser.close();
  await shop[Symbol.asyncDispose]();
});

interface Visit {
  readonly payment: string;
  readonly tab: CheckoutPage;
  readonly page: Page;
  /** The bank's page inside the form. */
  readonly bank: FrameLocator;
}

async function open(payment: string, context = {}): Promise<Visit> {
  const key = shop.publishable_key;
  const tab = await openCheckout(browser, shop, { payment_id: payment, key, context });
  opened.push(tab);
  return { payment, tab, page: tab.page, bank: tab.form.frameLocator('dialog iframe') };
}

/** Enters a card for a new payment of that amount, and has it verified. */
async function pay(amount: number, number = asked): Promise<Visit & { ending: Promise<Ending> }> {
  const visit = await open(await shop.makePayment(amount));
  await visit.tab.fill({ number });
  return { ...visit, ending: visit.tab.verify() };
}

const answer = async (bank: FrameLocator, code: string): Promise<void> => {
  await bank.getByLabel('Code from your bank').fill(code);
  await bank.getByRole('button', { name: 'Confirm' }).click();
};

const attributesOf = async (payment: string) =>
  (await shop.fetch('payment_demands', payment)).attributes;

/** The state of the card that was entered last. */
const newestState = async () => (await shop.methods())[0]?.attributes.external_state;

describe('a challenge', { timeout: PATIENCE_MS }, () => {
  it('that is approved puts the card on the payment, which can then be charged', async () => {
    const { bank, ending, payment, tab } = await pay(amounts.code);
    await answer(bank, '123456');
    expect(await ending).toMatchObject({ ok: true, type: 'payment_method_verified' });
    expect(await attributesOf(payment)).toMatchObject({
      status: 'ready',
      threeds_status: 'Y',
      threeds_version: '2.2.0',
      eci: '02',
    });
    expect(await newestState()).toBe('confirmed');
    await shop.confirm(payment);
    await expect.poll(async () => (await attributesOf(payment)).status, SOON).toBe('succeeded');
    expect(tab.complaints).toEqual([]);
  });

  it('is shown over the whole window, and leaves the shop as it was', async () => {
    const { bank, ending, page, tab } = await pay(amounts.code);
    const frame = page.locator('#form iframe');
    const before = await page.locator('#form').boundingBox();
    await bank.getByLabel('Code from your bank').waitFor();
    const { width, height } = page.viewportSize()!;
    expect(await frame.boundingBox()).toEqual({ x: 0, y: 0, width, height });
    expect(await tab.form.getByRole('dialog').getAttribute('aria-label')).toBe(
      'Confirmation by your bank',
    );
    await answer(bank, '123456');
    await ending;
    await expect.poll(() => page.locator('#form').boundingBox(), SOON).toEqual(before);
  });

  it('that fails three times refuses the card', async () => {
    const { bank, ending, payment, tab } = await pay(amounts.code);
    for (const code of ['1', '2', '3']) await answer(bank, code);
    expect(await ending).toMatchObject({
      ok: false,
      type: 'payment_method_failed',
      detail: { code: 'challenge_failed' },
    });
    expect(await newestState()).toBe('failed');
    expect((await attributesOf(payment)).status).toBe('incomplete');
    await tab.form.getByText('Your bank could not confirm that it is you.').waitFor();
  });

  it('that is cancelled at the bank says so', async () => {
    const { bank, ending } = await pay(amounts.code);
    await bank.getByRole('button', { name: 'Cancel' }).click();
    expect((await ending).detail.code).toBe('challenge_cancelled');
    expect(await newestState()).toBe('failed');
  });

  it.each(['the button', 'the keyboard'])(
    'that is cancelled in our dialog by %s is over at the server too, and another card can be used',
    async (way) => {
      const { bank, ending, payment, tab, page } = await pay(amounts.code);
      await bank.getByLabel('Code from your bank').waitFor();
      const cancel = tab.form.getByRole('dialog').getByRole('button', { name: 'Cancel' });
      if (way === 'the button') await cancel.click();
      else {
        await cancel.focus();
        await page.keyboard.press('Escape');
      }
      expect(await ending).toMatchObject({
        type: 'payment_method_failed',
        detail: { code: 'challenge_cancelled' },
      });
      expect(await newestState()).toBe('failed');
      await tab.form.locator('#number').fill('');
      await tab.form.locator('#expiry').fill('');
      await tab.fill({ number: trusted });
      expect((await tab.verify()).ok).toBe(true);
      expect(await attributesOf(payment)).toMatchObject({ status: 'ready', eci: '05' });
    },
  );

  it('that nobody answers ends when its time is over', async () => {
    const { ending, bank } = await pay(amounts.code);
    await bank.getByLabel('Code from your bank').waitFor();
    expect(await ending).toMatchObject({
      type: 'payment_method_failed',
      detail: { code: 'challenge_timeout' },
    });
    expect(await newestState()).toBe('failed');
  });

  it.each([
    ['hang', 'payment_method_failed', 'challenge_timeout'],
    ['error', 'payment_method_error', 'challenge_error'],
    ['unframeable', 'payment_method_failed', 'challenge_unavailable'],
  ] as const)('%s of the bank ends as %s with %s', async (way, type, code) => {
    const { ending } = await pay(amounts[way]);
    expect(await ending).toMatchObject({ ok: false, type, detail: { code } });
  });

  it.each(['late', 'duplicate'] as const)('whose result is %s counts once', async (way) => {
    const { bank, ending, payment } = await pay(amounts[way]);
    await answer(bank, '123456');
    expect((await ending).ok).toBe(true);
    expect(await attributesOf(payment)).toMatchObject({ status: 'ready', threeds_status: 'Y' });
  });

  it('that is approved elsewhere needs nothing typed', async () => {
    const { ending } = await pay(amounts.oob);
    expect((await ending).ok).toBe(true);
  });

  it('cannot take over the shop, open anything or speak for the form', async () => {
    const { bank, ending, page, tab, payment } = await pay(amounts.hostile);
    const popups: Page[] = [];
    page.context().on('page', (popup) => popups.push(popup));
    await bank.getByLabel('Code from your bank').waitFor();
    expect(page.url()).toBe(`${shop.shop}/`);
    expect(popups).toEqual([]);
    expect((await tab.eventNames()).filter((name) => /verified|approved/.test(name))).toEqual([]);
    expect((await attributesOf(payment)).status).toBe('incomplete');
    await answer(bank, '123456');
    expect((await ending).ok).toBe(true);
    expect((await tab.eventNames()).filter((name) => /verified/.test(name)).length).toBe(1);
  });

  it('whose page never appears is given up with a reason', async () => {
    const { ending } = await pay(amounts.unreachable);
    expect(['challenge_unavailable', 'challenge_timeout']).toContain((await ending).detail.code);
  });
});

describe('a form that is left at the bank', () => {
  it('goes on there when it is opened again', async () => {
    const { bank, payment, page, tab } = await open(await shop.makePayment(amounts.code));
    await tab.fill({ number: asked });
    await page.evaluate(() => void globalThis.florin.verifyPaymentMethod());
    await bank.getByLabel('Code from your bank').waitFor();
    await page.reload();
    const key = shop.publishable_key;
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
    await expect.poll(() => tab.eventNames(), SOON).toEqual(['payment_method_verified']);
    expect((await attributesOf(payment)).status).toBe('ready');
  });
});

describe('two tabs of one payment', { timeout: PATIENCE_MS }, () => {
  it('have one authentication: the card that was entered last counts', async () => {
    const payment = await shop.makePayment(amounts.code);
    const first = await open(payment);
    const second = await open(payment);
    await first.tab.fill({ number: asked });
    const replaced = first.tab.verify();
    await first.bank.getByLabel('Code from your bank').waitFor();
    await second.tab.fill({ number: asked });
    const ending = second.tab.verify();
    await answer(second.bank, '123456');
    expect((await replaced).detail.code).toBe('challenge_replaced');
    expect((await ending).ok).toBe(true);
    const [newest, older] = await shop.methods();
    expect([newest, older].map((method) => method?.attributes.external_state)).toEqual([
      'confirmed',
      'failed',
    ]);
    const { relationships } = await shop.fetch('payment_demands', payment);
    expect(relationships.payment_method?.data?.id).toBe(newest?.id);
  });
});

describe('the bank’s look at the browser', () => {
  it.each(['slowLook', 'endlessLook', 'brokenLook'] as const)(
    'that is %s holds no payment up for longer than its limit',
    async (look) => {
      const { ending, payment } = await pay(amounts[look], trusted);
      expect((await ending).ok).toBe(true);
      expect((await attributesOf(payment)).threeds_status).toBe('Y');
    },
  );
});
