import type { FlorinOptions } from '@florin/browser-sdk/options.ts';
import type { WalletRequest } from '@florin/contract/protocol/frame.ts';
import type { Frame, FrameLocator, Page, Request } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { violationsIn } from './support/axe.ts';
import { terminalOf } from './support/cards.ts';
import { expectReportedVisible, pressButton, watchVisibility } from './support/sight.ts';
import {
  type Visit as AnyVisit,
  attributesOf,
  enterCode,
  frictionlessNumber,
  LONG_TIMEOUT_MS,
  SHORT_TIMEOUT,
  useSharedBank,
  type VisitOptions,
} from './support/use-bank.ts';

const setup = useSharedBank();
type Title = 'Apple Pay' | 'Google Pay';
const AMOUNT = 2500;

interface Visit extends Omit<AnyVisit, 'bank'> {
  readonly sheet: FrameLocator;
  readonly form: FrameLocator;
  /** Bodies of the wallet calls. */
  readonly walletRequests: WalletRequest[];
}

async function open(
  options: FlorinOptions = {},
  { context, ...visitOptions }: VisitOptions = {},
  amount = AMOUNT,
): Promise<Visit> {
  const visit = await setup.open(await setup.shop.makePayment(amount), {
    options: { applePay: true, googlePay: true, ...options },
    context: { viewport: { width: 800, height: 1_100 }, ...context },
    ...visitOptions,
  });
  const { page, tab } = visit;
  const walletRequests: WalletRequest[] = [];
  const recordRequest = (request: Request) => {
    if (request.url().endsWith('/frame/v1/wallet')) walletRequests.push(request.postDataJSON());
  };
  page.on('request', recordRequest);
  await tab.form.locator('#number').waitFor();
  return {
    ...visit,
    form: tab.form,
    sheet: tab.form.frameLocator('dialog iframe'),
    walletRequests,
    async [Symbol.asyncDispose]() {
      page.off('request', recordRequest);
      await visit[Symbol.asyncDispose]();
    },
  };
}

const buttonOf = ({ form }: Visit, title: Title) =>
  form.getByRole('button', { name: `Pay with ${title}` });

/** Presses the button with a key: the form accepts keys at once, but pointers only after a moment. */
async function openSheet(visit: Visit, title: Title): Promise<void> {
  // The form opens again shortly after the page has its event.
  const name = `Pay with ${title}`;
  await visit.form.getByRole('button', { name, disabled: false }).press('Enter');
  await visit.sheet.getByRole('heading', { name: title }).waitFor();
}

const approve = ({ sheet }: Visit): Promise<void> =>
  sheet.getByRole('button', { name: 'Pay $' }).click();

/** The button disappears with its document before the browser confirms the press, so nobody waits for that. */
async function pressCancel({ sheet, page }: Visit): Promise<void> {
  const bounds = await sheet.getByRole('button', { name: 'Cancel' }).boundingBox();
  if (!bounds) throw new Error('the sheet has no button to cancel');
  page.mouse.click(bounds.x + bounds.width / 2, bounds.y + bounds.height / 2).catch(() => {});
}

const waitUntilVerified = ({ tab }: Visit): Promise<void> =>
  expect.poll(() => tab.eventNames(), SHORT_TIMEOUT).toContain('payment_method_verified');

const waitForStatus = ({ payment }: Visit, status: string): Promise<void> =>
  expect
    .poll(async () => (await attributesOf(setup.shop, payment)).status, SHORT_TIMEOUT)
    .toBe(status);

const frameAt = (page: Page, path: string): Frame =>
  page.frames().find((frame) => new URL(frame.url(), 'http://x').pathname.startsWith(path))!;

const countOf = async ({ tab }: Visit, event: string): Promise<number> =>
  (await tab.eventNames()).filter((name) => name === event).length;

describe('a form of inputs', { timeout: LONG_TIMEOUT_MS }, () => {
  it('pays by Apple Pay: a declined card is reported once, and another is approved once', async () => {
    await using visit = await open();
    await openSheet(visit, 'Apple Pay');
    expect(await visit.sheet.getByText('Test mode: no money moves.').isVisible()).toBe(true);
    await visit.sheet.getByText('Is declined').click();
    await approve(visit);
    await waitUntilVerified(visit);
    await setup.shop.confirm(visit.payment);
    await expect.poll(() => visit.tab.eventNames(), SHORT_TIMEOUT).toContain('payment_failed');
    await openSheet(visit, 'Apple Pay');
    await approve(visit);
    await expect.poll(() => countOf(visit, 'payment_method_verified'), SHORT_TIMEOUT).toBe(2);
    // A page that verifies after the wallet does not send the wallet another time.
    expect(await visit.tab.verify()).toMatchObject({ ok: true, detail: { last_four: '0004' } });
    await setup.shop.confirm(visit.payment);
    await waitForStatus(visit, 'succeeded');
    await expect.poll(() => visit.tab.eventNames(), SHORT_TIMEOUT).toContain('payment_approved');
    const names = await visit.tab.eventNames();
    expect(terminalOf(names)).toEqual(['payment_failed', 'payment_approved']);
    expect(await countOf(visit, 'payment_method_verifying')).toBe(2);
    expect(visit.walletRequests).toHaveLength(2);
    expect(await attributesOf(setup.shop, visit.payment)).toMatchObject({
      threeds_status: 'wallet',
      eci: '05',
    });
    expect(visit.tab.consoleErrors).toEqual([]);
  });
});

describe('an embedded form', { timeout: LONG_TIMEOUT_MS }, () => {
  it('pays by Google Pay and keyboard, with the server’s amount and the billing address', async () => {
    const options = { formFactor: 'embedded', amount: '1', amount_cents: 1 };
    await using visit = await open(options as FlorinOptions, {}, 4321);
    const { page, sheet } = visit;
    await openSheet(visit, 'Google Pay');
    expect(await sheet.getByRole('button', { name: 'Pay $43.21' }).count()).toBe(1);
    expect(await sheet.getByText('Billing address:').isVisible()).toBe(true);
    await sheet.locator('input:checked:focus').waitFor();
    await page.keyboard.press('ArrowDown');
    await sheet.locator('input:checked:focus').waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await waitUntilVerified(visit);
    expect((await visit.tab.events()).at(-1)?.detail.last_four).toBe('0004');
    expect(visit.walletRequests.map(({ billing_address }) => billing_address)).toMatchObject([
      { line_1: '1 Main Street', country: 'US' },
    ]);
    await setup.shop.confirm(visit.payment);
    await waitForStatus(visit, 'succeeded');
    expect(visit.tab.consoleErrors).toEqual([]);
  });

  it('whose page asks for no wallets has none, and keeps the strict policy', async () => {
    const noWallets = { formFactor: 'embedded', applePay: false, googlePay: false } as const;
    await using visit = await open(noWallets);
    expect(await visit.form.locator('.wallets').count()).toBe(0);
    const script = visit.form.locator('script[src]');
    expect(await script.getAttribute('src')).not.toContain('wallets');
  });
});

describe('the sheet', { timeout: LONG_TIMEOUT_MS }, () => {
  it('that is closed or times out leaves the form unchanged, and only a page that waits hears of it', async () => {
    await using visit = await open();
    await visit.tab.fill({ number: frictionlessNumber });
    const eventsBefore = await visit.tab.eventNames();
    await openSheet(visit, 'Google Pay');
    await visit.page.keyboard.press('Escape');
    await visit.form.locator('dialog').waitFor({ state: 'detached' });
    expect(await visit.tab.eventNames()).toEqual(eventsBefore);
    expect(await visit.form.locator('button.wallet:focus').textContent()).toContain('Google Pay');

    await openSheet(visit, 'Apple Pay');
    const verification = visit.tab.verify();
    await pressCancel(visit);
    expect(await verification).toMatchObject({
      ok: false,
      type: 'payment_method_error',
      detail: { code: 'wallet_cancelled', message: 'You closed the wallet before you paid.' },
    });
    await openSheet(visit, 'Apple Pay');
    expect(await visit.tab.verify(200)).toMatchObject({ type: 'payment_timeout' });
    await visit.form.locator('dialog').waitFor({ state: 'detached' });
    expect(await visit.tab.verify()).toMatchObject({ ok: true });
    expect(visit.walletRequests).toEqual([]);
  });

  it('#7 opens once however often its button is pressed, in a cross-origin isolated shop too', async () => {
    await using visit = await open({}, { shopUrl: setup.shop.isolatedUrl });
    expect(await visit.page.evaluate(() => crossOriginIsolated)).toBe(true);
    // Presses without a pointer reach the form at once, and both in the same task.
    await buttonOf(visit, 'Google Pay').evaluate((button: HTMLElement) => {
      button.click();
      button.click();
    });
    await buttonOf(visit, 'Google Pay').dispatchEvent('click');
    await buttonOf(visit, 'Apple Pay').dispatchEvent('click');
    await visit.sheet.getByRole('heading', { name: 'Google Pay' }).waitFor();
    expect(await visit.form.locator('dialog').count()).toBe(1);
    await visit.sheet.getByRole('button', { name: 'Pay $' }).dblclick();
    await waitUntilVerified(visit);
    expect(visit.walletRequests).toHaveLength(1);
  });
});

describe('a card on file at Google', { timeout: LONG_TIMEOUT_MS }, () => {
  it('is challenged by its bank, in the form', async () => {
    await using visit = await open();
    await openSheet(visit, 'Google Pay');
    await visit.sheet.getByText('PAN_ONLY').click();
    await approve(visit);
    await enterCode(visit.sheet, '123456');
    await waitUntilVerified(visit);
    expect(await attributesOf(setup.shop, visit.payment)).toMatchObject({
      status: 'ready',
      threeds_status: 'Y',
      eci: '02',
    });
  });
});

describe('an attacker', { timeout: LONG_TIMEOUT_MS }, () => {
  it('#4 who impersonates the sheet is ignored: the shop, or a frame of another origin', async () => {
    await using visit = await open({}, { ownTab: true });
    await openSheet(visit, 'Google Pay');
    const forge = (): void => {
      const collectWindows = (window: Window): Window[] => [
        window,
        ...Array.from({ length: window.length }, (_, at) =>
          collectWindows(window[at] as Window),
        ).flat(),
      ];
      for (const target of collectWindows(top as Window)) {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = ({ data }) => port1.postMessage(data);
        target.postMessage('florin:wallet-sheet', '*', [port2]);
        for (const message of ['florin:wallet-sheet', { t: 'paid', token: '{}' }, { t: 'cancel' }])
          target.postMessage(message, '*');
      }
    };
    await visit.page.evaluate(forge);
    await visit.page.evaluate(() => {
      const frame = document.createElement('iframe');
      frame.id = 'sibling';
      document.body.append(frame);
    });
    await visit.page.frames().at(-1)!.evaluate(forge);
    // Timers come after the messages and the replies to them.
    for (let round = 0; round < 2; round++) {
      for (const frame of visit.page.frames()) await frame.evaluate(nextTask);
    }
    expect(visit.walletRequests).toEqual([]);
    expect(await visit.form.locator('dialog').count()).toBe(1);
    await approve(visit);
    await waitUntilVerified(visit);
    expect(visit.walletRequests).toHaveLength(1);
  });

  it('#6 who has a wallet’s button pressed as it appears, or covers it, gains nothing', async () => {
    await using visit = await open({}, { ownTab: true });
    await watchVisibility(visit.page);
    await remount(visit);
    await pressButton(buttonOf(visit, 'Google Pay'), true);
    await visit.sheet.getByRole('heading', { name: 'Google Pay' }).waitFor();
    expect(await visit.form.getByText('Something covers this form.').count()).toBe(0);
    await pressCancel(visit);
    await visit.form.locator('dialog').waitFor({ state: 'detached' });
    await visit.page.evaluate(() => {
      const cover = document.createElement('div');
      const style = { position: 'fixed', inset: '0', background: 'white', opacity: '0.01' };
      Object.assign(cover.style, style, { pointerEvents: 'none' });
      document.body.append(cover);
    });
    await expectReportedVisible(buttonOf(visit, 'Google Pay'), false);
    await pressButton(buttonOf(visit, 'Google Pay'));
    await visit.form.getByText('Something covers this form.').waitFor();
    expect(await visit.form.locator('dialog').count()).toBe(0);
  });
});

describe('axe finds nothing', { timeout: LONG_TIMEOUT_MS }, () => {
  it('#24 in the buttons and the sheet, light and dark, from right to left', async () => {
    await using visit = await open({ locale: 'ar', formFactor: 'embedded' }, { ownTab: true });
    const { page, form, sheet } = visit;
    const button = form.locator('button.wallet').last();
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      if (scheme === 'dark') await useDarkColors(visit);
      // A dark document differs in its colours alone.
      const rules = scheme === 'dark' ? ['color-contrast'] : undefined;
      await button.waitFor();
      const formDocument = frameAt(page, '/pay/');
      expect(await violationsIn(formDocument, rules), scheme).toEqual([]);
      expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44);
      await button.press('Enter');
      await sheet.locator('input:checked:focus').waitFor();
      expect(await violationsIn(frameAt(page, '/wallets/'), rules), scheme).toEqual([]);
      expect(await violationsIn(formDocument, rules), scheme).toEqual([]);
    }
  });
});

/** Runs in a page. */
const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

const remount = ({ page, payment }: Visit): Promise<void> =>
  page.evaluate((id) => void globalThis.florin.mountPaymentForm('form', id), payment);

/** Mounts the form again in a dark shop. */
async function useDarkColors(visit: Visit): Promise<void> {
  const { page, form } = visit;
  await page.evaluate(() => {
    Object.assign(document.body.style, { color: '#eeeeee', background: '#111111' });
  });
  await remount(visit);
  await form.locator('html[style*="dark"] #number').waitFor();
  // The shop shows through the form's document, which axe cannot see from inside.
  await frameAt(page, '/pay/').evaluate(() => {
    document.body.style.background = '#111111';
  });
}
