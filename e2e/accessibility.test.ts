import type { FlorinOptions } from '@florin/browser-sdk/options.ts';
import { languageOf } from '@florin/server/features/checkout/pages/language.ts';
import { pickLocale } from '@florin/server/http/pages/form-locale.ts';
import { renderUnavailablePage } from '@florin/server/http/pages/unavailable-page.ts';
import type { Browser, BrowserContextOptions, Frame } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { violationsIn } from './support/axe.ts';
import { closeWindows, getSharedBrowser } from './support/browser.ts';
import { readLocales } from './support/bundles.ts';
import { cardOf } from './support/cards.ts';
import { type CheckoutPage, openCheckout } from './support/checkout-page.ts';
import {
  createFormTestbed,
  detail,
  type FormTestbed,
  PAYMENT_ID,
  PUBLISHABLE_KEY,
} from './support/form-testbed.ts';

let browser: Browser;
let testbed: FormTestbed;
/** Window that the tests share. Each test mounts a form of its own in the page. */
let sharedShop: CheckoutPage;

beforeAll(async () => {
  [browser, testbed] = await Promise.all([getSharedBrowser(), createFormTestbed()]);
  sharedShop = await openWindow({ locale: 'en-US' });
});
beforeEach(() => testbed.reset());
afterAll(async () => {
  await closeWindows(browser);
  await testbed[Symbol.asyncDispose]();
});

const openWindow = (context: BrowserContextOptions): Promise<CheckoutPage> =>
  openCheckout(browser, testbed, { context });

const visa = cardOf('visa');
const FACTORS = ['inputs', 'embedded'] as const;
type Factor = (typeof FACTORS)[number];

const frameOf = async ({ page }: CheckoutPage): Promise<Frame> => {
  const handle = await page.locator('iframe').elementHandle();
  return (await handle!.contentFrame())!;
};

const violationsOf = async (shop: CheckoutPage) => violationsIn(await frameOf(shop));

async function fillAll(shop: CheckoutPage, factor: Factor): Promise<void> {
  const card = { number: visa.number, expiry: '1239', cvv: visa.cvv };
  for (const [id, text] of Object.entries(card)) await shop.form.locator(`#${id}`).fill(text);
  if (factor === 'inputs') return;
  await shop.form.locator('#country').selectOption('US');
  const address = { line_1: '1 Main Street', zip: '10001', city: 'New York' };
  for (const [id, text] of Object.entries(address)) await shop.form.locator(`#${id}`).fill(text);
  await shop.form.locator('#state').selectOption('NY');
}

/** Brings the form into each of its states, from a new form or from the state before. */
const stateSetups: Readonly<Record<string, (shop: CheckoutPage, factor: Factor) => Promise<void>>> =
  {
    empty: async () => {},
    errors: async (shop) => void (await shop.verify()),
    filled: fillAll,
    async declined(shop, factor) {
      const code = 'authentication_failed';
      testbed.verify = () => ({ result: 'failed', detail: { ...detail, code } });
      await fillAll(shop, factor);
      await shop.verify();
      await shop.form.locator('.notice:not(:empty)').waitFor();
    },
    async busy(shop, factor) {
      testbed.verify = () => new Promise(() => {});
      await fillAll(shop, factor);
      void shop.verify().catch(() => {});
      await shop.form.locator('form[aria-busy="true"]').waitFor();
    },
    async refused(shop) {
      const otherPaymentId = PAYMENT_ID.replace('1', '2');
      await shop.page.evaluate(
        (id) => void globalThis.florin.mountPaymentForm('form', id),
        otherPaymentId,
      );
      await shop.form.locator('.refusal').waitFor();
    },
  };

/** Mounts a form in the shared window. */
async function openForm(formFactor: Factor, locale: string, width = 640): Promise<CheckoutPage> {
  await sharedShop.page.setViewportSize({ width, height: 900 });
  await remount(sharedShop, { formFactor, locale });
  return sharedShop;
}

/** Mounts another form in the page, of another client if options are given. */
async function remount(shop: CheckoutPage, options?: FlorinOptions): Promise<void> {
  testbed.reset();
  await shop.page.evaluate(
    ({ id, key, options }) => {
      if (options) {
        globalThis.florin.destroy();
        globalThis.florin = new globalThis.Florin(key, options);
      }
      globalThis.florin.mountPaymentForm('form', id);
    },
    { id: PAYMENT_ID, key: PUBLISHABLE_KEY, options },
  );
  await shop.form.locator('#number').waitFor();
}

/**
 * States for axe, each once: both forms draw notices and refusals alike, and only the embedded form has a button. The
 * form with problems is inspected in Arabic.
 */
const INSPECTED_STATES: Readonly<Record<Factor, readonly string[]>> = {
  inputs: ['empty', 'declined', 'refused'],
  embedded: ['busy'],
};

/** Texts in English by state. The page of a refusal has texts of the server, which has no made-up language. */
const PLAIN_TEXTS: Readonly<Record<string, readonly string[]>> = {
  refused: (['refused_title', 'refused_text'] as const).map((name) => languageOf('en').text(name)),
};

describe('axe finds nothing', { timeout: 240_000 }, () => {
  // One form goes through all states, because axe is costly to load into each new one.
  it.each(FACTORS)(
    '#24 in the states of the %s form, whose every word is translated',
    async (factor) => {
      const shop = await openForm(factor, 'en-XA');
      expect(await shop.page.locator('iframe').getAttribute('title')).toMatch(/^⟦/);
      for (const [name, setUpState] of Object.entries(stateSetups)) {
        testbed.reset();
        await setUpState(shop, factor);
        expect(await plainTextsOf(shop), name).toEqual(PLAIN_TEXTS[name] ?? []);
        if (INSPECTED_STATES[factor].includes(name))
          expect(await violationsOf(shop), name).toEqual([]);
      }
    },
  );

  // With all fields and all problems a form shows most of its texts. Their table is the same in each language.
  it('#24 in the form with problems in Arabic, with its words and all countries, from right to left', async () => {
    const shop = await openForm('embedded', 'ar');
    await shop.verify();
    expect(await violationsOf(shop)).toEqual([]);
    const { texts } = readLocales().get('ar')!;
    expect(await shop.form.locator('label[for=number]').textContent()).toBe(texts.number);
    const names = await shop.form.locator('#country option').allTextContents();
    const germanyInArabic = new Intl.DisplayNames('ar', { type: 'region' }).of('DE');
    expect(names).toHaveLength(250);
    expect(names).toContain(germanyInArabic);
    expect(await shop.form.locator('html').getAttribute('dir')).toBe('rtl');
    // Digits stay from left to right, aligned to the line start.
    const styles = await shop.form
      .locator('#number, #expiry, #cvv')
      .evaluateAll((nodes) =>
        nodes.map((node) => [getComputedStyle(node).direction, getComputedStyle(node).textAlign]),
      );
    expect(styles).toEqual(Array(3).fill(['ltr', 'right']));
  });

  it('#24 but does find a field that has lost its label', async () => {
    const shop = await openForm('inputs', 'en');
    await (await frameOf(shop)).evaluate(() => document.querySelector('label')?.remove());
    await shop.form.locator('#number').evaluate((input) => input.removeAttribute('placeholder'));
    expect((await violationsIn(await frameOf(shop), ['label'])).join()).toContain('label');
  });
});

describe('the form for screen readers and keyboards', () => {
  it('#24 is read as a heading, named fields and their problems', async () => {
    const shop = await openForm('inputs', 'en');
    await shop.verify();
    const frame = await frameOf(shop);
    expect(await frame.locator('body').ariaSnapshot()).toBe(
      `- main:
  - heading "Pay $24.99 by card" [level=1]
  - text: Card number
  - textbox "Card number" [invalid]:
    - /placeholder: 1234 1234 1234 1234
  - alert: Enter the card number.
  - text: Expiry date
  - textbox "Expiry date" [invalid]:
    - /placeholder: MM / YY
  - alert: Enter the expiry date.
  - text: Security code
  - textbox "Security code" [invalid]:
    - /placeholder: CVC
  - alert: Enter the 3 digits on the back.
  - alert
  - paragraph: "Test mode: no money moves."`,
    );
  });

  it('#24 has its live regions from the first paint, and speaks when a field is left, not during typing', async () => {
    const shop = await openForm('inputs', 'en');
    expect(await shop.form.locator('[role=alert]').count()).toBe(4);
    const problem = shop.form.locator('#number-problem');
    await shop.form.locator('#number').pressSequentially('4005 51');
    expect(await problem.textContent()).toBe('');
    await shop.form.locator('#expiry').focus();
    expect(await problem.textContent()).toBe('The card number is too short.');
    expect(await shop.form.locator('#number').getAttribute('aria-invalid')).toBe('true');
  });

  it('#24 lets browsers fill in a card and an address', async () => {
    const shop = await openForm('embedded', 'en');
    const fields = await shop.form
      .locator('input, select')
      .evaluateAll((nodes) =>
        nodes.map((node) => [
          node.id,
          node.getAttribute('autocomplete'),
          node.getAttribute('inputmode'),
        ]),
      );
    expect(fields).toEqual([
      ['number', 'cc-number', 'numeric'],
      ['expiry', 'cc-exp', 'numeric'],
      ['cvv', 'cc-csc', 'numeric'],
      ['country', 'billing country', null],
      ['line_1', 'billing address-line1', null],
      ['zip', 'billing postal-code', null],
      ['city', 'billing address-level2', null],
      ['state', 'billing address-level1', null],
    ]);
  });

  it('#24 is filled in and paid by keyboard alone', async () => {
    const shop = await openForm('embedded', 'en');
    const { keyboard } = shop.page;
    await shop.page.locator('#before').focus();
    const fieldTexts = [
      ['number', visa.number],
      ['expiry', '1239'],
      ['cvv', '123'],
      ['country', 'Germ'],
      ['line_1', 'Hauptstraße 1'],
      ['zip', '10115'],
      ['city', 'Berlin'],
    ] as const;
    for (const [id, text] of fieldTexts) {
      const isReached = id === 'expiry' || id === 'cvv';
      if (!isReached) await keyboard.press('Tab');
      await shop.form.locator(`#${id}:focus`).waitFor();
      await keyboard.type(text);
    }
    await keyboard.press('Enter');
    await expect.poll(() => testbed.verifyRequests.length).toBe(1);
    expect(testbed.verifyRequests[0]?.billing_address?.country).toBe('DE');
  });
});

/** Returns visible elements that are narrower than their content. */
const findCutElements = async (shop: CheckoutPage): Promise<string[]> =>
  (await frameOf(shop)).evaluate(() =>
    [...document.querySelectorAll('body, body *')]
      .filter((node) => !node.closest('.unseen'))
      .filter((node) => node.scrollWidth > node.clientWidth + 1 && node.clientWidth > 0)
      .map((node) => node.outerHTML.slice(0, 80)),
  );

describe('the form on every screen', () => {
  it.each<[Factor, readonly string[]]>([
    ['inputs', ['en-XA']],
    ['embedded', ['en-XA', 'ar']],
  ])(
    '#24 %s of 320 and 240 pixels, as at 400 % zoom, scrolls in one direction, cuts nothing and has targets of 44 pixels',
    async (factor, locales) => {
      for (const locale of locales) {
        const shop = await openForm(factor, locale, 320);
        await shop.verify();
        expect(await findCutElements(shop), locale).toEqual([]);
        const heights = await shop.form
          .locator('input, select, button')
          .evaluateAll((nodes) => nodes.map((node) => node.getBoundingClientRect().height));
        expect(Math.min(...heights), locale).toBeGreaterThanOrEqual(44);
        await shop.page.setViewportSize({ width: 240, height: 900 });
        expect(await findCutElements(shop), locale).toEqual([]);
      }
    },
  );

  it('#24 shows problems and focus in forced colours', async () => {
    const shop = await openForm('embedded', 'en');
    await shop.page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
    await shop.verify();
    const [expiry, button] = [shop.form.locator('#expiry'), shop.form.locator('button.pay')];
    expect(await expiry.evaluate((node) => getComputedStyle(node).borderTopWidth)).toBe('3px');
    expect(await button.evaluate((node) => getComputedStyle(node).borderTopStyle)).toBe('solid');
    const animatedCount = await (await frameOf(shop)).evaluate(
      () =>
        [...document.querySelectorAll('*')].filter((node) => {
          const { transitionDuration } = getComputedStyle(node);
          return transitionDuration !== '0s';
        }).length,
    );
    await shop.page.emulateMedia({ forcedColors: null, reducedMotion: null });
    expect(animatedCount).toBe(0);
  });
});

describe('the language of the form', () => {
  // The table of the decision is tested beside its source.
  it('#24 is that of the option, the page or the browser', async () => {
    const shop = await openWindow({ locale: 'it-IT' });
    for (const [source, option, page_language, label] of [
      ['the option', 'de', 'fr', 'Kartennummer'],
      ['the page', undefined, 'fr', 'Numéro de carte'],
      ['the browser, where we lack that of the page', undefined, 'cy', 'Numero della carta'],
    ] as const) {
      await shop.page.evaluate((lang) => {
        document.documentElement.lang = lang;
      }, page_language);
      await remount(shop, option ? { locale: option } : {});
      expect(await shop.form.locator('label[for=number]').textContent(), source).toBe(label);
    }
    await shop.page.context().close();
  });

  it('#24 can be any supported one', () => {
    const locales = readLocales();
    expect(locales.size).toBeGreaterThan(20);
    for (const [tag, locale] of locales) expect(pickLocale(locales, tag, 'en')).toBe(locale);
  });
});

/**
 * Visible text without the pseudo-language's marks. Names of brands and countries are excluded, and codes for
 * developers.
 */
const plainTextsOf = async (shop: CheckoutPage): Promise<string[]> =>
  (await frameOf(shop)).evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const visibleTexts: string[] = [];
    while (walker.nextNode()) {
      const { parentElement, textContent } = walker.currentNode;
      const isText = !parentElement?.closest('script, option, .note, code');
      if (isText && /\p{L}/u.test(textContent ?? '')) visibleTexts.push(textContent ?? '');
    }
    return visibleTexts.filter((text) => !/^⟦.*⟧$/s.test(text));
  });

/** Returns the text colour of the pay button as red, green and blue. */
const readPayButtonColor = (): Promise<string> =>
  sharedShop.form.locator('button.pay').evaluate((node) => {
    const context = document.createElement('canvas').getContext('2d')!;
    context.fillStyle = getComputedStyle(node).color;
    context.fillRect(0, 0, 1, 1);
    const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
    return `rgb(${red}, ${green}, ${blue})`;
  });

describe('the looks of the form', () => {
  it("#24 follow the page's settings", async () => {
    const appearance = {
      color: '#112233',
      background: 'rgb(250, 240, 230)',
      accent: '#7a1fa2',
      radius: '0px',
      fontSize: '20px',
    };
    sharedShop.consoleErrors.length = 0;
    await remount(sharedShop, { formFactor: 'embedded', appearance });
    const shop = sharedShop;
    expect(await readPayButtonColor()).toBe('rgb(255, 255, 255)');
    await shop.form.locator('#number').focus();
    const style = await shop.form.locator('#number').evaluate((node) => {
      const { color, backgroundColor, borderRadius, fontSize, outlineColor } =
        getComputedStyle(node);
      return { color, backgroundColor, borderRadius, fontSize, outlineColor };
    });
    expect(style).toEqual({
      color: 'rgb(17, 34, 51)',
      backgroundColor: 'rgb(250, 240, 230)',
      borderRadius: '0px',
      fontSize: '20px',
      outlineColor: 'rgb(122, 31, 162)',
    });
    expect(shop.consoleErrors).toEqual([]);
  });

  it('#24 keep the pay button readable on a light accent', async () => {
    await remount(sharedShop, { formFactor: 'embedded', appearance: { accent: '#ffe08a' } });
    expect(await readPayButtonColor()).toBe('rgb(0, 0, 0)');
  });

  it('#18 cannot bring anything else into the form', async () => {
    const appearance = { color: 'red; } * { display: none', background: 'url(//evil.localhost/x)' };
    await remount(sharedShop, { appearance });
    const inline = await sharedShop.form
      .locator('html')
      .evaluate((node) => node.getAttribute('style'));
    expect(inline).toBe('color-scheme: light;');
  });
});

describe('the page of a Florin that answers nobody', () => {
  it.each(['en', 'ar', 'ja'])('has no findings of axe in %s, light and dark', async (tag) => {
    const page = await browser.newPage();
    const { status, headers, html } = renderUnavailablePage(
      { url: `/?locale=${tag}`, headers: {} },
      60,
    );
    await page.route('**/*', (route) =>
      route.fulfill({ status, headers: { ...headers }, body: html }),
    );
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto('http://pay.example/');
      expect(await violationsIn(page.mainFrame())).toEqual([]);
      expect(await page.locator('h1').isVisible()).toBe(true);
    }
    await page.close();
  });
});
