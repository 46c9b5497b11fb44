import { directionOf, type Locale, locales } from '@florin/contract/locales.ts';
import { amountText } from '@florin/contract/money.ts';
import { type EmailKind, emailKinds } from '@florin/contract/resources/emails.ts';
import { describe, expect, it } from 'vitest';
import { brandOf } from '../../platform/emails/brand.ts';
import { inkOn } from '../../platform/emails/ink.ts';
import { draftEmail } from './draft.ts';
import type { EmailInput } from './email-input.ts';

const inputOf = (
  kind: EmailKind,
  locale: Locale,
  change: Partial<EmailInput> = {},
): EmailInput => ({
  kind,
  mode: 'live',
  locale,
  brand: brandOf({ business_name: 'Rose & Thorn', business_support_email: 'help@roses.example' }),
  card: { kind: 'visa', last_four: '4242' },
  ...change,
  facts: {
    amount_cents: '123456',
    amount_currency: 'EUR',
    description: 'Roses',
    purchase_reference: 'A-17',
    payer_timezone: 'Asia/Tokyo',
    succeeded_at: '2026-11-30 23:30:00+00',
    charge_at: '2026-12-31T20:00:00.000000Z',
    failure_reason: 'insufficient_funds',
    link_url: 'https://pay.example/s/abc?x=1&y=2',
    expiry_month: '3',
    expiry_year: '2031',
    ...change.facts,
  },
});

const allCombinations = locales.flatMap((locale) =>
  emailKinds.map((kind) => [kind, locale] as const),
);

it.each(allCombinations)(
  'an email of kind %s in %s is complete, and in its language',
  (kind, locale) => {
    const { subject, text, html } = draftEmail(inputOf(kind, locale));
    for (const part of [subject, text, html]) {
      expect(part).not.toMatch(/\{\w+\}|\b(?:undefined|null|NaN|Invalid Date)\b/);
      expect(part.trim()).not.toBe('');
    }
    expect(subject).not.toMatch(/[\r\n]/);
    expect(html).toContain(`<html lang="${locale}" dir="${directionOf(locale)}">`);
    expect(text).toContain('Visa •••• 4242');
    expect(text).toContain('help@roses.example');
    expect(text).toContain('https://pay.example/s/abc?x=1&y=2');
    expect(html).toContain('href="https://pay.example/s/abc?x=1&amp;y=2"');
    expect(`${subject}${text}`).toContain('Rose & Thorn');
    expect(html).toContain('Rose &amp; Thorn');
    const hasAmount = ![
      'card_expiring',
      'subscription_unpaid',
      'subscription_ending',
      'subscription_cancelled',
    ].includes(kind);
    expect(text.includes(amountText('123456', 'EUR', locale))).toBe(hasAmount);
    if (kind === 'card_expiring') expect(text).toContain('03/2031');
  },
);

it.each([
  ['Asia/Tokyo', 'January 1, 2027'],
  ['America/New_York', 'December 31, 2026'],
  ['Not/AZone', 'December 31, 2026'],
])('a time is shown as a day in the customer’s time zone: in %s %s', (payer_timezone, day) => {
  const { text } = draftEmail(inputOf('upcoming_renewal', 'en', { facts: { payer_timezone } }));
  expect(text).toContain(`We will charge €1,234.56 to your card on ${day}.`);
});

it('a payment without a time zone uses that of the merchant', () => {
  const brand = brandOf({ business_name: 'Roses', business_timezone: 'Asia/Tokyo' });
  const { facts } = inputOf('receipt', 'en');
  const { payer_timezone: _, ...otherFacts } = facts;
  const { text } = draftEmail({ ...inputOf('receipt', 'en'), facts: otherFacts, brand });
  expect(text).toContain('Date: December 1, 2026');
});

it('a receipt lists all items and additions, exact to the minor unit', () => {
  const facts = {
    amount_cents: '999998999999',
    amount_currency: 'USD',
    receipt: {
      items: [
        { name: 'Rose', quantity: 1_000_000, amount_cents: 999_999 },
        { name: '', quantity: 2, amount_cents: 5 },
      ],
      sums: [
        { label: 'discount', amount_cents: -20 },
        { label: 'tax', amount_cents: 19 },
        { label: 'unused_time', amount_cents: -1 },
        { label: 'credit_used', amount_cents: -9 },
      ],
    },
    period_start_at: '2026-11-30 23:30:00+00',
    period_end_at: '2026-12-30 23:30:00+00',
  } as const;
  const { text } = draftEmail(inputOf('receipt', 'en', { facts }));
  const lines = text.split('\n');
  expect(lines).toContain('1000000 × Rose: $9,999,990,000.00');
  expect(lines).toContain('2 ×: $0.10');
  expect(lines).toContain('Discount: -$0.20');
  expect(lines).toContain('Tax: $0.19');
  expect(lines).toContain('Credit for unused time: -$0.01');
  expect(lines).toContain('Credit used: -$0.09');
  expect(lines).toContain('Total: $9,999,989,999.99');
  expect(lines).toContain('Period: December 1 – 31, 2026');
  expect(text).not.toContain('Shipping');
});

it.each([
  ['JPY', '¥123,456'],
  ['BHD', 'BHD 123.456'],
])('an amount of %s has the digits of its currency: %s', (amount_currency, shown) => {
  const { text } = draftEmail(inputOf('receipt', 'en', { facts: { amount_currency } }));
  expect(text.replaceAll('\u00a0', ' ')).toContain(`Total: ${shown}`);
});

it.each([
  [{ next_try_at: '2026-12-31T20:00:00.000000Z' }, 'We will try again on January 1, 2027.'],
  [{}, 'We will not try this card again.'],
])('an email about a failed payment, with %o, names the next step: %s', (facts, says) => {
  expect(draftEmail(inputOf('payment_failed', 'en', { facts })).text).toContain(says);
});

it.each<[EmailKind, 'pause' | 'cancel', string]>([
  ['final_notice', 'pause', 'or your subscription will be paused on January 1, 2027.'],
  ['final_notice', 'cancel', 'or your subscription will end on January 1, 2027.'],
  ['subscription_unpaid', 'pause', 'so your subscription is paused. Add another card to continue.'],
  [
    'subscription_unpaid',
    'cancel',
    'so your subscription has ended. We will not charge you for it again.',
  ],
])('an email of kind %s before the final action %s says: %s', (kind, final_action, says) => {
  const { charge_at: ends_at = '', ...otherFacts } = inputOf(kind, 'en').facts;
  const facts = { ...otherFacts, ends_at, final_action };
  expect(draftEmail({ ...inputOf(kind, 'en'), facts }).text).toContain(says);
});

it('an email about a coming end has its date in subject and text', () => {
  const { charge_at: ends_at = '', ...facts } = inputOf('subscription_ending', 'en').facts;
  const { subject, text } = draftEmail({
    ...inputOf('subscription_ending', 'en'),
    facts: { ...facts, ends_at },
  });
  for (const part of [subject, text]) expect(part).toContain('ends on January 1, 2027');
});

it.each([
  ['insufficient_funds', 'The card has insufficient funds.'],
  ['stolen_card', 'The bank declined the payment.'],
  ['lost_card', 'The bank declined the payment.'],
  ['brand_new', 'The bank declined the payment.'],
])('a payment that failed with %s is explained: %s', (failure_reason, says) => {
  const { text } = draftEmail(inputOf('payment_failed', 'en', { facts: { failure_reason } }));
  expect(text).toContain(says);
});

it('emails of the sandbox say that no money moves', () => {
  const note = 'Test mode: no money moves.';
  expect(draftEmail(inputOf('receipt', 'en')).text).not.toContain(note);
  const { text, html } = draftEmail(inputOf('receipt', 'en', { mode: 'sandbox' }));
  expect(text).toContain(note);
  expect(html).toContain(note);
});

describe('text by merchants and customers', () => {
  const markup = `"><script>alert(1)</script><img src=x onerror='a()'>`;
  const brand = brandOf({
    brand_name: `${markup}\r\nBcc: all@example.com\u2028x`,
    logo_url: `https://roses.example/"onload="a()`,
    business_website: 'javascript:alert(1)',
    business_support_email: `a"onclick=b@example.com`,
  });

  it.each(emailKinds)('is escaped in an email of kind %s', (kind) => {
    const facts = {
      description: markup,
      purchase_reference: markup,
      link_url: 'javascript:alert(1)',
      line_items: [{ name: markup, quantity: 1, amount_cents: 1 }],
    };
    const card = { kind: markup, last_four: markup };
    const { subject, html } = draftEmail(inputOf(kind, 'en', { brand, facts, card }));
    expect(html).not.toMatch(/<script|<img src=x|onload="|javascript:|"onclick/);
    const tags = html.match(/<[a-z][a-z0-9]*/g) ?? [];
    expect(new Set(tags)).not.toContain('<script');
    expect(html.match(/<img/g)).toHaveLength(1);
    expect(subject).not.toMatch(/[\r\n\u2028]/);
  });

  it('loads nothing but the logo, from an https address', () => {
    const logoUrlsOf = (logo_url: string) =>
      draftEmail(
        inputOf('receipt', 'en', { brand: brandOf({ business_name: 'R', logo_url }) }),
      ).html.match(/(?:src|background|url)\s*[=(]\s*"?[^"\s)]+/g) ?? [];
    expect(logoUrlsOf('https://roses.example/a.png')).toEqual(['src="https://roses.example/a.png']);
    expect(logoUrlsOf('http://roses.example/a.png')).toEqual([]);
  });

  it('shows the logo that the email carries where there is no address of one', () => {
    const sourceOf = (logo_url: string | null) => {
      const brand = { ...brandOf({ business_name: 'R', logo_url }), logo_cid: '0193@logo' };
      return /<img src="([^"]*)/.exec(draftEmail(inputOf('receipt', 'en', { brand })).html)?.[1];
    };
    expect(sourceOf(null)).toBe('cid:0193@logo');
    expect(sourceOf('https://roses.example/a.png')).toBe('https://roses.example/a.png');
  });

  it('names the merchant by its brand, or else by its business name', () => {
    expect(brandOf({ brand_name: 'Roses', business_name: 'Rose Ltd' }).name).toBe('Roses');
    expect(brandOf({ business_name: 'Rose Ltd' }).name).toBe('Rose Ltd');
  });
});

it.each([
  ['#ffffff', '#000000'],
  ['#ffcc00', '#000000'],
  ['#7c3aed', '#ffffff'],
  ['#000000', '#ffffff'],
])('text on %s is %s', (color, ink) => {
  expect(inkOn(color)).toBe(ink);
  expect(
    draftEmail(inputOf('receipt', 'en', { brand: brandOf({ brand_color: color }) })).html,
  ).toContain(`background:${color};color:${ink}`);
});
