import { type Locale, locales } from '@florin/contract/locales.ts';
import { afterAll, expect, it } from 'vitest';
import { jpegBytes, pngOf } from '../../../tests/support/evidence-files.ts';
import { fontOf, loadTypeface } from '../../platform/pdf/fonts.ts';
import { composeDocument } from './compose.ts';
import { drawDocument } from './draw.ts';
import type { IssuedDocument } from './facts.ts';
import { createDocumentRenderer } from './render.ts';

const renderer = createDocumentRenderer();
afterAll(() => renderer[Symbol.asyncDispose]());

const documentOf = (locale: Locale, change: Partial<IssuedDocument> = {}): IssuedDocument => ({
  kind: 'invoice',
  mode: 'sandbox',
  number: 'INV-000012',
  locale,
  amount_cents: '123456',
  amount_currency: locale === 'ja' ? 'JPY' : 'EUR',
  issued_at: '2026-11-30 23:30:00+00',
  facts: {
    merchant: { brand_name: 'Rose & Thorn', business_name: 'Rose Ltd', brand_color: '#7c3aed' },
    customer: { name: 'Ada Lovelace', email: 'ada@example.com' },
    address: { line_1: '12 Main Street', city: 'London', zip: 'SW1Y 4JH', country: 'GBR' },
    card: { kind: 'visa', last_four: '4242' },
    paid_at: '2026-11-30 23:30:00+00',
    period_start_at: '2026-11-30 23:30:00+00',
    period_end_at: '2026-12-30 23:30:00+00',
    receipt: {
      items: [{ name: 'Rose', quantity: 5000, amount_cents: 25 }],
      sums: [
        { label: 'discount', amount_cents: -2000 },
        { label: 'tax', amount_cents: 456 },
      ],
    },
    ...change.facts,
  },
  ...change,
});

it.each(locales)('a document in %s is complete, and fonts have all its letters', async (locale) => {
  const content = composeDocument(documentOf(locale));
  const texts = JSON.stringify(content) + content.pageText(1, 2);
  expect(texts).not.toMatch(/\{\w+\}|undefined|NaN|Invalid Date/);
  expect(content.heads.map(({ value }) => value)).toEqual(
    expect.arrayContaining(['INV-000012', 'Visa •••• 4242']),
  );
  const { regular, bold } = await loadTypeface(locale, texts);
  for (const fonts of [regular, bold])
    expect([...texts].filter((character) => !fontOf(fonts, character))).toEqual([]);
  const pdf = await drawDocument(content);
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  expect(pdf.toString('latin1')).toContain(`/Lang (${locale})`);
});

it('a document has the same bytes wherever and whenever it is rendered', async () => {
  const document = documentOf('de');
  const pdf = await renderer.run(document, 'merchant');
  expect(pdf.equals(await drawDocument(composeDocument(document)))).toBe(true);
});

it.each<Locale>(['de', 'ar'])(
  'a document in %s shows the logo in place of the name',
  async (locale) => {
    for (const logo of [pngOf({ width: 300, height: 80, color: 6 }), jpegBytes()]) {
      const content = composeDocument(documentOf(locale, { logo }));
      const pdf = await drawDocument(content);
      expect(pdf.toString('latin1')).toMatch(/\/Subtype \/Image/);
      expect(pdf.equals(await renderer.run(documentOf(locale, { logo }), 'merchant'))).toBe(true);
    }
  },
);

it('a logo that cannot be drawn stops one document only', async () => {
  const logo = Buffer.from('no picture');
  await expect(renderer.run(documentOf('en', { logo }), 'merchant')).rejects.toThrow(/image/i);
  expect(await renderer.run(documentOf('en'), 'merchant')).not.toHaveLength(0);
});

it.each([
  [{}, 'SW1Y 4JH London'],
  [{ state: 'London' }, 'SW1Y 4JH London'],
  [{ state: 'England' }, 'SW1Y 4JH London England'],
])('the address of the customer has the postal code and the state: %o', (state, line) => {
  const { facts } = documentOf('en');
  const address = { ...facts.address, ...state };
  const { parties } = composeDocument(documentOf('en', { facts: { ...facts, address } }));
  expect(parties[1]?.lines).toContain(line);
});

it('the seller has a legal name, an address in the language, and a tax number', () => {
  const { facts } = documentOf('de');
  const merchant = {
    ...facts.merchant,
    ...{
      seller_name: 'Rose Trading GmbH',
      seller_line_1: 'Hauptstraße 1',
      seller_zip_code: '10115',
    },
    ...{ seller_city: 'Berlin', seller_country: 'DEU', seller_tax_number: 'DE 123456789' },
  };
  const { parties } = composeDocument(documentOf('fr', { facts: { ...facts, merchant } }));
  expect(parties[0]?.lines).toEqual([
    'Rose Trading GmbH',
    'Hauptstraße 1',
    '10115 Berlin',
    'Allemagne',
    'Numéro fiscal : DE 123456789',
  ]);
});

it('the thread of a document that cannot be drawn starts again', async () => {
  const broken = documentOf('en', { issued_at: 'never' });
  await expect(renderer.run(broken, 'merchant')).rejects.toThrow(/never|instant/);
  expect(await renderer.run(documentOf('en'), 'merchant')).not.toHaveLength(0);
});

it('many items continue on further pages, with the sums after the last one', async () => {
  const items = Array.from({ length: 100 }, (_, at) => ({
    name: `Rose ${at}`,
    quantity: 1,
    amount_cents: 100,
  }));
  const { facts } = documentOf('en');
  const document = documentOf('en', { facts: { ...facts, receipt: { items, sums: [] } } });
  const pdf = await drawDocument(composeDocument(document));
  expect(pdf.toString('latin1')).toMatch(/\/Count 5\b/);
});

it('a credit note for a part of a payment has one line, and names the original document', () => {
  const { receipt: _, ...facts } = documentOf('en').facts;
  const original = { number: 'INV-000011', issued_at: '2026-10-31 12:00:00+00' };
  const noteIn = (locale: Locale) =>
    composeDocument(documentOf(locale, { kind: 'credit_note', facts: { ...facts, original } }));
  const content = noteIn('en');
  expect(content.title).toBe('Credit note');
  expect(content.items).toEqual([['Refund', '1', '€1,234.56', '€1,234.56']]);
  expect(content.heads).toContainEqual({
    label: 'Original document',
    value: 'INV-000011, October 31, 2026',
  });
  // Marks keep the number before the date in right-to-left text.
  expect(noteIn('ar').heads.map(({ value }) => value)).toContain(
    '\u200fINV-000011, \u200f31 أكتوبر 2026',
  );
});
