import type { FlorinOptions } from '@florin/browser-sdk/options.ts';
import type { FormFactor, WalletRequest } from '@florin/contract/protocol/frame.ts';
import type { Frame, FrameLocator, Page, Request } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { violationsIn } from './support/axe.ts';
import { terminalOf } from './support/cards.ts';
import {
  type Visit as AnyVisit,
  answer,
  attributesOf,
  LONG_TIMEOUT_MS,
  SHORT_TIMEOUT,
  trusted,
  useSharedBank,
  type VisitOptions,
} from './support/use-bank.ts';

const use = useSharedBank();
type Title = 'Apple Pay' | 'Google Pay';
const factors: readonly FormFactor[] = ['inputs', 'embedded'];
const AMOUNT = 2500;
/** Longer than the form must be visible before its buttons count. */
const SEEN_MS = 900;

interface Visit extends Omit<AnyVisit, 'bank'> {
  readonly sheet: FrameLocator;
  readonly form: FrameLocator;
  /** Bodies of the wallet calls. */
  readonly sent: WalletRequest[];
}

async function open(
  options: FlorinOptions = {},
  { context, ...more }: VisitOptions = {},
  amount = AMOUNT,
): Promise<Visit> {
  const visit = await use.open(await use.shop.makePayment(amount), {
    options: { applePay: true, googlePay: true, ...options },
    context: { viewport: { width: 800, height: 1_100 }, ...context },
    ...more,
  });
  const { page, tab } = visit;
  const sent: WalletRequest[] = [];
  const record = (request: Request) => {
    if (request.url().endsWith('/frame/v1/wallet')) sent.push(request.postDataJSON());
  };
  page.on('request', record);
  await tab.form.locator('#number').waitFor();
  return {
    ...visit,
    form: tab.form,
    sheet: tab.form.frameLocator('dialog iframe'),
    sent,
    async [Symbol.asyncDispose]() {
      page.off('request', record);
      await visit[Symbol.asyncDispose]();
    },
  };
}

const buttonOf = ({ form }: Visit, title: Title) =>
  form.getByRole('button', { name: `Pay with ${title}` });

/** Presses again if the form asks for it, as slow browsers cause after layout. */
async function openSheetBy(visit: Visit, title: Title, press: () => Promise<void>): Promise<void> {
  const heading = visit.sheet.getByRole('heading', { name: title });
  const refused = visit.form.getByText(/press the button again/i);
  do {
    await visit.page.waitForTimeout(SEEN_MS);
    await press();
    await Promise.any([heading.waitFor(), refused.waitFor()]);
  } while (!(await heading.isVisible()));
}

const openSheet = (visit: Visit, title: Title): Promise<void> =>
  openSheetBy(visit, title, () => buttonOf(visit, title).click());

const approve = ({ sheet }: Visit): Promise<void> =>
  sheet.getByRole('button', { name: 'Pay $' }).click();

/** The button disappears with its document before the browser confirms the press, so nobody waits for that. */
async function pressCancel({ sheet, page }: Visit): Promise<void> {
  const box = await sheet.getByRole('button', { name: 'Cancel' }).boundingBox();
  if (!box) throw new Error('the sheet has no button to cancel');
  page.mouse.click(box.x + box.width / 2, box.y + box.height / 2).catch(() => {});
}

const verified = ({ tab }: Visit): Promise<void> =>
  expect.poll(() => tab.eventNames(), SHORT_TIMEOUT).toContain('payment_method_verified');

const settledAs = ({ payment }: Visit, status: string): Promise<void> =>
  expect
    .poll(async () => (await attributesOf(use.shop, payment)).status, SHORT_TIMEOUT)
    .toBe(status);

const frameAt = (page: Page, path: string): Frame =>
  page.frames().find((frame) => new URL(frame.url(), 'http://x').pathname.startsWith(path))!;

const countOf = async ({ tab }: Visit, event: string): Promise<number> =>
  (await tab.eventNames()).filter((name) => name === event).length;

describe.each([
  ['inputs', 'Apple Pay', 'Google Pay'],
  ['embedded', 'Google Pay', 'Apple Pay'],
] as const)('in a form of %s', { timeout: LONG_TIMEOUT_MS }, (formFactor, title, other) => {
  it(`${title} pays: its button, its sheet, one approval`, async () => {
    await using visit = await open({ formFactor });
    await openSheet(visit, title);
    expect(await visit.sheet.getByText('Test mode: no money moves.').isVisible()).toBe(true);
    await approve(visit);
    await verified(visit);
    expect((await visit.tab.eventNames()).filter((name) => /verif/.test(name))).toEqual([
      'payment_method_verifying',
      'payment_method_verified',
    ]);
    // A page that verifies after the wallet does not send the wallet a second time.
    expect(await visit.tab.verify()).toMatchObject({ ok: true, detail: { last_four: '0004' } });
    await use.shop.confirm(visit.payment);
    await settledAs(visit, 'succeeded');
    await expect.poll(() => visit.tab.eventNames(), SHORT_TIMEOUT).toContain('payment_approved');
    expect(terminalOf(await visit.tab.eventNames())).toEqual(['payment_approved']);
    expect(visit.sent).toHaveLength(1);
    expect(await attributesOf(use.shop, visit.payment)).toMatchObject({
      threeds_status: 'wallet',
      eci: '05',
    });
    expect(visit.tab.complaints).toEqual([]);
  });

  it(`a declined card of ${other} is reported once, and another can be chosen`, async () => {
    await using visit = await open({ formFactor });
    await openSheet(visit, other);
    await visit.sheet.getByText('Is declined').click();
    await approve(visit);
    await verified(visit);
    await use.shop.confirm(visit.payment);
    await expect.poll(() => visit.tab.eventNames(), SHORT_TIMEOUT).toContain('payment_failed');
    await openSheet(visit, other);
    await approve(visit);
    await expect.poll(() => visit.sent.length, SHORT_TIMEOUT).toBe(2);
    await settledAs(visit, 'failed');
    await expect.poll(() => countOf(visit, 'payment_method_verified'), SHORT_TIMEOUT).toBe(2);
    await use.shop.confirm(visit.payment);
    await settledAs(visit, 'succeeded');
    await expect.poll(() => visit.tab.eventNames(), SHORT_TIMEOUT).toContain('payment_approved');
    expect(terminalOf(await visit.tab.eventNames())).toEqual([
      'payment_failed',
      'payment_approved',
    ]);
  });
});

describe('a form whose page asks for no wallets', { timeout: LONG_TIMEOUT_MS }, () => {
  it.each(factors)('of %s has none, and keeps the strict policy', async (formFactor) => {
    await using visit = await open({ formFactor, applePay: false, googlePay: false });
    expect(await visit.form.locator('.wallets').count()).toBe(0);
    const script = visit.form.locator('script[src]');
    expect(await script.getAttribute('src')).not.toContain('wallets');
  });
});

describe('the sheet', { timeout: LONG_TIMEOUT_MS }, () => {
  it('that is closed by its button or the keyboard leaves the form unchanged, and nobody is notified', async () => {
    await using visit = await open();
    await visit.tab.fill({ number: trusted });
    const before = await visit.tab.eventNames();
    const pressEscape = async () => void visit.page.keyboard.press('Escape').catch(() => {});
    for (const leave of [() => pressCancel(visit), pressEscape]) {
      await openSheet(visit, 'Google Pay');
      await leave();
      await visit.form.locator('dialog').waitFor({ state: 'detached' });
      expect(await visit.tab.eventNames()).toEqual(before);
      expect(await visit.form.locator('button.wallet:focus').textContent()).toContain('Google Pay');
    }
    expect(await visit.tab.verify()).toMatchObject({ ok: true });
    expect(visit.sent).toEqual([]);
  });

  it('that is closed, or times out, while the page waits for a verification rejects it', async () => {
    await using visit = await open();
    await openSheet(visit, 'Apple Pay');
    const ending = visit.tab.verify();
    await pressCancel(visit);
    expect(await ending).toMatchObject({
      ok: false,
      type: 'payment_method_error',
      detail: { code: 'wallet_cancelled', message: 'You closed the wallet before you paid.' },
    });
    expect(terminalOf(await visit.tab.eventNames())).toEqual([]);
    await openSheet(visit, 'Apple Pay');
    expect(await visit.tab.verify(200)).toMatchObject({ type: 'payment_timeout' });
    await visit.form.locator('dialog').waitFor({ state: 'detached' });
    expect(visit.sent).toEqual([]);
  });

  it('is used by the keyboard alone', async () => {
    await using visit = await open();
    const { page, sheet } = visit;
    await openSheetBy(visit, 'Google Pay', async () => {
      await buttonOf(visit, 'Google Pay').focus();
      await page.keyboard.press('Enter');
    });
    await sheet.locator('input:checked:focus').waitFor();
    await page.keyboard.press('ArrowDown');
    await sheet.locator('input:checked:focus').waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await verified(visit);
    expect((await visit.tab.events()).at(-1)?.detail.last_four).toBe('0004');
  });

  it('#7 opens once however often its button is pressed, in a cross-origin isolated shop too', async () => {
    await using visit = await open({}, { shop: use.shop.isolated });
    expect(await visit.page.evaluate(() => crossOriginIsolated)).toBe(true);
    await visit.page.waitForTimeout(SEEN_MS);
    await buttonOf(visit, 'Google Pay').dblclick();
    await buttonOf(visit, 'Google Pay').dispatchEvent('click');
    await buttonOf(visit, 'Apple Pay').dispatchEvent('click');
    await visit.sheet.getByRole('heading', { name: 'Google Pay' }).waitFor();
    expect(await visit.form.locator('dialog').count()).toBe(1);
    await visit.sheet.getByRole('button', { name: 'Pay $' }).dblclick();
    await verified(visit);
    expect(visit.sent).toHaveLength(1);
  });

  it('has the amount from the server whatever the page says, and the billing address for an embedded form', async () => {
    const options = { formFactor: 'embedded', amount: '1', amount_cents: 1 };
    await using visit = await open(options as FlorinOptions, {}, 4321);
    await openSheet(visit, 'Google Pay');
    expect(await visit.sheet.getByRole('button', { name: 'Pay $43.21' }).count()).toBe(1);
    expect(await visit.sheet.getByText('Billing address:').isVisible()).toBe(true);
    await approve(visit);
    await verified(visit);
    expect(visit.sent[0]?.billing_address).toMatchObject({
      line_1: '1 Main Street',
      country: 'US',
    });
  });
});

describe('a card on file at Google', { timeout: LONG_TIMEOUT_MS }, () => {
  it('is challenged by its bank, in the form', async () => {
    await using visit = await open();
    await openSheet(visit, 'Google Pay');
    await visit.sheet.getByText('PAN_ONLY').click();
    await approve(visit);
    await answer(visit.sheet, '123456');
    await verified(visit);
    expect(await attributesOf(use.shop, visit.payment)).toMatchObject({
      status: 'ready',
      threeds_status: 'Y',
      eci: '02',
    });
  });
});

describe('an attacker', { timeout: LONG_TIMEOUT_MS }, () => {
  it('#4 who impersonates the sheet is ignored: the shop, or a frame of another origin', async () => {
    await using visit = await open({}, { own: true });
    await openSheet(visit, 'Google Pay');
    const forge = (): void => {
      const everyone = (window: Window): Window[] => [
        window,
        ...Array.from({ length: window.length }, (_, at) => everyone(window[at] as Window)).flat(),
      ];
      for (const target of everyone(top as Window)) {
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
    await visit.page.waitForTimeout(SEEN_MS);
    expect(visit.sent).toEqual([]);
    expect(await visit.form.locator('dialog').count()).toBe(1);
    await approve(visit);
    await verified(visit);
    expect(visit.sent).toHaveLength(1);
  });

  it('who sends a captured token from another form is refused', async () => {
    await using victim = await open();
    await openSheet(victim, 'Apple Pay');
    await approve(victim);
    await verified(victim);
    await using thief = await open();
    const config = await thief.form.locator('#florin-config').textContent();
    const { session } = JSON.parse(config ?? '{}');
    const frame = frameAt(thief.page, '/pay/');
    const refused = await frame.evaluate(
      async (body) => {
        const headers = { 'content-type': 'application/json' };
        const init = { method: 'POST', headers, body: JSON.stringify(body) };
        return (await fetch('/frame/v1/wallet', init)).json();
      },
      { ...victim.sent[0], session },
    );
    expect(refused).toMatchObject({ result: 'error', detail: { code: 'wallet_token_replayed' } });
    expect((await attributesOf(use.shop, thief.payment)).status).toBe('incomplete');
  });

  it('#6 who presses a wallet’s button as soon as it appears gets the sheet after a moment', async () => {
    await using visit = await open();
    await buttonOf(visit, 'Google Pay').dispatchEvent('click', { detail: 1 });
    await visit.sheet.getByRole('heading', { name: 'Google Pay' }).waitFor();
    expect(await visit.form.getByText('Something covers this form.').count()).toBe(0);
  });

  it('#6 who covers a wallet’s button gets no press on it', async () => {
    await using visit = await open({}, { own: true });
    await visit.page.evaluate(() => {
      const cover = document.createElement('div');
      const style = { position: 'fixed', inset: '0', background: 'white', opacity: '0.01' };
      Object.assign(cover.style, style, { pointerEvents: 'none' });
      document.body.append(cover);
    });
    await visit.page.waitForTimeout(SEEN_MS);
    await buttonOf(visit, 'Google Pay').dispatchEvent('click', { detail: 1 });
    await visit.form.getByText('Something covers this form.').waitFor();
    expect(await visit.form.locator('dialog').count()).toBe(0);
  });
});

describe('axe finds nothing', { timeout: LONG_TIMEOUT_MS }, () => {
  it.each([
    ['light', 'ar'],
    ['dark', 'en'],
  ] as const)('#24 in the buttons and the sheet, %s, in %s', async (scheme, locale) => {
    await using visit = await open(
      { locale, formFactor: 'embedded' },
      { own: true, context: { colorScheme: scheme } },
    );
    if (scheme === 'dark') await darken(visit);
    await visit.form.locator('button.wallet').first().waitFor();
    const form = frameAt(visit.page, '/pay/');
    expect(await violationsIn(form)).toEqual([]);
    const size = await visit.form.locator('button.wallet').first().boundingBox();
    expect(size?.height).toBeGreaterThanOrEqual(44);
    await visit.page.waitForTimeout(SEEN_MS);
    await visit.form.locator('button.wallet').last().click();
    await visit.sheet.locator('input:checked:focus').waitFor();
    expect(await violationsIn(frameAt(visit.page, '/wallets/'))).toEqual([]);
    expect(await violationsIn(form)).toEqual([]);
  });
});

/** Mounts the form again in a dark shop. */
async function darken({ page, form, payment }: Visit): Promise<void> {
  await page.evaluate((id) => {
    Object.assign(document.body.style, { color: '#eeeeee', background: '#111111' });
    globalThis.florin.mountPaymentForm('form', id);
  }, payment);
  await form.locator('html[style*="dark"] #number').waitFor();
  // The shop shows through the form's document, which axe cannot see from inside.
  await frameAt(page, '/pay/').evaluate(() => {
    document.body.style.background = '#111111';
  });
}
