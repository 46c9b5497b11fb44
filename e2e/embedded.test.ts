import { readFile } from 'node:fs/promises';
import { compactDecrypt } from 'jose';
import { describe, expect, it } from 'vitest';
import { cardOf, terminalOf } from './support/cards.ts';
import { type CheckoutPage, reopenCheckout } from './support/checkout-page.ts';
import { detail } from './support/form-testbed.ts';
import {
  expectReportedVisible,
  pressButton,
  VISIBLE_MS,
  watchVisibility,
} from './support/sight.ts';
import { useTestbed } from './support/use-testbed.ts';

const german = JSON.parse(
  await readFile(new URL('../packages/hosted-fields/src/locales/de.json', import.meta.url), 'utf8'),
) as Readonly<Record<'paying' | 'paid' | 'outcome_unknown', string>>;

const setup = useTestbed();
const visa = cardOf('visa');
const embeddedOptions = { formFactor: 'embedded' } as const;

async function openEmbedded(): Promise<CheckoutPage> {
  const shop = await setup.reopen({ options: embeddedOptions });
  await shop.form.locator('#number').waitFor();
  return shop;
}

/** Opens a form with a complete card and address, in a tab of its own that reports what the form sees of its button. */
async function openWatchedForm(): Promise<CheckoutPage> {
  const shop = await setup.open({ context: { viewport: { width: 800, height: 1_000 } } });
  await watchVisibility(shop.page);
  await reopenCheckout(shop, { options: embeddedOptions });
  await fillAll(shop);
  await expectReportedVisible(payButton(shop), true);
  return shop;
}

async function fillAll(shop: CheckoutPage): Promise<void> {
  await shop.fill(visa);
  await fillAddress(shop);
}

async function fillAddress({ form }: CheckoutPage): Promise<void> {
  await form.getByLabel('Address', { exact: true }).fill('1 Main Street');
  await form.getByLabel('Postal code').fill('10001');
  await form.getByLabel('City').fill('New York');
  await form.getByLabel('State or province').selectOption('NY');
}

const errorCodes = async (shop: CheckoutPage) =>
  (await shop.events())
    .filter(({ type }) => type === 'payment_method_error')
    .map(({ detail }) => detail.code);

const payButton = ({ form }: CheckoutPage) => form.locator('button.pay');

describe('the embedded form', () => {
  it('shows missing fields and why a payment failed, and pays another card with the billing address', async () => {
    const declinedDetail = { ...detail, code: 'insufficient_funds', message: 'from the server' };
    setup.testbed.status = () => ({ status: 'failed', detail: declinedDetail });
    const shop = await openEmbedded();
    await payButton(shop).press('Enter');
    expect(await shop.form.getByText('Fill in this field.').count()).toBe(4);
    await shop.form.locator('#number:focus').waitFor();
    await shop.fill(visa);
    await shop.page.keyboard.press('Enter');
    await shop.form.locator('#line_1:focus').waitFor();
    expect(setup.testbed.verifyRequests).toEqual([]);
    // Events reach the shop's page after the form has moved the focus.
    await expect.poll(() => errorCodes(shop)).toEqual(['invalid_card', 'invalid_card']);

    await fillAddress(shop);
    expect(await payButton(shop).textContent()).toBe('Pay $24.99');
    await payButton(shop).press('Enter');
    await shop.form.getByText('The card has insufficient funds.').waitFor();
    expect(await payButton(shop).textContent()).toBe('Pay $24.99');
    setup.testbed.status = () => ({ status: 'waiting', detail });
    await shop.form.locator('#cvv').pressSequentially('123');
    await payButton(shop).press('Enter');
    await expect.poll(() => setup.testbed.verifyRequests.length).toBe(2);
    await expect.poll(() => payButton(shop).textContent()).toBe('Paying…');
    const request = setup.testbed.verifyRequests[1]!;
    expect(request.billing_address).toEqual({
      line_1: '1 Main Street',
      city: 'New York',
      state: 'NY',
      zip: '10001',
      country: 'US',
    });
    const { plaintext } = await compactDecrypt(request.pan_jwe, setup.testbed.privateKey);
    expect(JSON.parse(new TextDecoder().decode(plaintext)).pan).toBe(visa.number);
    setup.testbed.status = () => ({ status: 'approved', detail });
    await expect.poll(() => payButton(shop).textContent(), { timeout: 5_000 }).toBe('Paid');
    expect(terminalOf(await shop.eventNames())).toEqual(['payment_failed', 'payment_approved']);
    expect(await shop.listen()).toMatchObject({ ok: true });
  });

  it('asks payers not to pay again while the outcome is unknown, and finishes by itself', async () => {
    const address = { line_1: '1 Main Street', zip: '10001', city: 'New York' };
    setup.testbed.status = () => ({ status: 'waiting', detail });
    const shop = await setup.open({ options: { ...embeddedOptions, locale: 'de' } });
    await shop.page.clock.install();
    await reopenCheckout(shop, { options: { ...embeddedOptions, locale: 'de' } });
    await shop.fill(visa);
    for (const [field, text] of Object.entries(address))
      await shop.form.locator(`#${field}`).fill(text);
    await shop.form.locator('#state').selectOption('NY');
    await payButton(shop).press('Enter');
    await expect.poll(() => payButton(shop).textContent()).toBe(german.paying);
    await shop.page.clock.fastForward(20_000);
    await shop.form.getByText(german.outcome_unknown).waitFor();
    expect(await payButton(shop).textContent()).toBe(german.paying);
    expect(terminalOf(await shop.eventNames())).toEqual([]);
    setup.testbed.status = () => ({ status: 'approved', detail });
    await expect.poll(() => payButton(shop).textContent(), { timeout: 5_000 }).toBe(german.paid);
    expect(await shop.form.getByText(german.outcome_unknown).count()).toBe(0);
    await shop.page.close();
  });

  it("starts with the browser's country, and asks in each for the fields of its addresses", async () => {
    const { form } = await setup.open({ options: embeddedOptions, context: { locale: 'de-AT' } });
    expect(await form.locator('#country').inputValue()).toBe('AT');
    expect(await form.locator('html').getAttribute('lang')).toBe('en');
    for (const [country, zip, state] of [
      ['AT', true, false],
      ['HK', false, false],
      ['CA', true, true],
    ] as const) {
      await form.getByLabel('Country').selectOption(country);
      expect(await form.getByLabel('Postal code').isVisible()).toBe(zip);
      expect(await form.getByLabel('State or province').isVisible()).toBe(state);
    }
  });

  it('offers the states of a country as a list, and keeps the security code if the server refuses one', async () => {
    setup.testbed.verify = () => ({
      result: 'error',
      detail: { code: 'invalid_address', message: 'Check the billing address.', field: 'state' },
    });
    const shop = await openEmbedded();
    const { form } = shop;
    await form.locator('#number').focus();
    await shop.page.keyboard.type(visa.number);
    await shop.page.keyboard.type('1239');
    await shop.page.keyboard.type(visa.cvv);
    expect(await form.locator('.number .note').textContent()).toBe('Visa');
    await fillAddress(shop);
    expect(await form.locator('#state option:checked').textContent()).toBe('New York');
    await form.locator('#line_1').press('Enter');
    await form.locator('#state:focus[aria-invalid="true"]').waitFor();
    expect(await form.locator('#cvv').inputValue()).toBe(visa.cvv);
    await form.locator('#state').selectOption('AL');
    await form.getByLabel('Country').selectOption('BR');
    await form.locator('select#state').getByText('Alagoas').waitFor({ state: 'attached' });
    expect(await form.locator('#state').inputValue()).toBe('');
    await form.getByLabel('Country').selectOption('CA');
    await form.locator('select#state').selectOption({ label: 'Quebec' });
  });

  it('#7 verifies once however often its button is pressed and the page asks', async () => {
    setup.testbed.verify = () =>
      new Promise((resolve) => setTimeout(() => resolve({ result: 'verified', detail }), 400));
    const shop = await openEmbedded();
    await fillAll(shop);
    // Presses without a pointer reach the form at once, and both in the same task.
    await payButton(shop).evaluate((button: HTMLElement) => {
      button.click();
      button.click();
    });
    const results = await Promise.all([shop.verify(), shop.verify()]);
    await payButton(shop).click({ force: true });
    expect(results.map(({ ok }) => ok)).toEqual([true, true]);
    expect(setup.testbed.verifyRequests).toHaveLength(1);
    const names = await shop.eventNames();
    expect(names.filter((name) => name === 'payment_method_verified')).toHaveLength(1);
  });
});

function coverPage(): void {
  const cover = document.createElement('div');
  cover.id = 'cover';
  Object.assign(cover.style, {
    position: 'fixed',
    inset: '0',
    background: 'white',
    opacity: '0.01',
    pointerEvents: 'none',
  });
  document.body.append(cover);
}

function makeTransparent(): void {
  document.querySelector('iframe')!.style.opacity = '0.01';
}

function shrink(): void {
  document.querySelector('iframe')!.style.transform = 'scale(0.2) rotate(3deg)';
}

function uncover(): void {
  document.querySelector('#cover')?.remove();
  Object.assign(document.querySelector('iframe')!.style, { opacity: '', transform: '' });
}

/** Edits the card, which clears the message of a refused press. */
async function clearNotice({ form }: CheckoutPage): Promise<void> {
  await form.locator('#cvv').fill('');
  await form.locator('#cvv').fill(visa.cvv);
  await form.locator('.notice:not(:empty)').waitFor({ state: 'detached' });
}

describe('the pay button ignores presses', () => {
  it('#6 under something that covers it, and in a frame that is transparent or shrunk', async () => {
    const shop = await openWatchedForm();
    for (const cover of [coverPage, makeTransparent, shrink]) {
      await shop.page.evaluate(cover);
      await expectReportedVisible(payButton(shop), false);
      await pressButton(payButton(shop));
      await shop.form.getByText('Something covers this form.').waitFor();
      expect(setup.testbed.verifyRequests, cover.name).toEqual([]);
      await shop.page.evaluate(uncover);
      await clearNotice(shop);
      await expectReportedVisible(payButton(shop), true);
    }
  });

  it('#6 right after it was moved under the pointer, or while the page is scrolled, until the next', async () => {
    const shop = await openWatchedForm();
    const { page } = shop;
    await page.evaluate(() => {
      document.querySelector('iframe')!.style.display = 'none';
    });
    await expectReportedVisible(payButton(shop), false);
    await page.evaluate(() => {
      document.querySelector('iframe')!.style.display = 'block';
    });
    await pressButton(payButton(shop), true);
    await shop.form.getByText('Press the button again.').waitFor();
    await clearNotice(shop);
    await page.evaluate(() => {
      document.body.style.paddingBottom = '3000px';
      scrollTo(0, 3_000);
    });
    await expectReportedVisible(payButton(shop), false);
    await page.evaluate(() => scrollTo(0, 0));
    await pressButton(payButton(shop), true);
    const notice = shop.form.locator('.notice:not(:empty)');
    await notice.waitFor();
    expect(await notice.textContent()).toBe('Press the button again.');
    expect(setup.testbed.verifyRequests).toEqual([]);
    // The message has moved the button.
    await page.waitForTimeout(VISIBLE_MS);
    await payButton(shop).click();
    await expect.poll(() => setup.testbed.verifyRequests.length).toBe(1);
  });
});
