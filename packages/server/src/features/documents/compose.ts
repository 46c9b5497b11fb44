import { brandName } from '@florin/contract/card/brand-names.ts';
import { alpha2Codes, alpha3Codes, regionOf } from '@florin/contract/countries.ts';
import { directionOf, type Locale } from '@florin/contract/locales.ts';
import type { Row } from '../../platform/database/row.ts';
import { type Brand, brandOf, oneLine } from '../../platform/emails/brand.ts';
import { createFormat, type Format } from '../../platform/texts/format.ts';
import { microsOf } from '../../platform/time/clock.ts';
import type { DocumentFacts, IssuedDocument } from './facts.ts';
import type { ReceiptLines } from './receipt-lines.ts';
import { documentTextsOf, type Texts } from './texts.ts';

/** A label with its value. */
export interface LabelledValue {
  readonly label: string;
  readonly value: string;
}

/** An item's columns. */
export type ItemCells = readonly [
  item: string,
  quantity: string,
  unit_price: string,
  amount: string,
];

/** Content of a document in its language, before it is drawn. */
export interface DocumentContent {
  readonly locale: Locale;
  readonly brand: Brand;
  /** Bytes of the logo, in place of the brand's name. */
  readonly logo?: Uint8Array;
  readonly title: string;
  readonly number: string;
  readonly issued_on: Date;
  readonly heads: readonly LabelledValue[];
  /** Seller and customer: a label, the name and further lines. */
  readonly parties: readonly { readonly label: string; readonly lines: readonly string[] }[];
  readonly columns: ItemCells;
  readonly items: readonly ItemCells[];
  readonly sums: readonly LabelledValue[];
  readonly total: LabelledValue;
  readonly below_total: readonly LabelledValue[];
  readonly notes: readonly string[];
  pageText(page: number, pages: number): string;
}

/** Content of a document, by its facts alone. */
export function composeDocument(document: IssuedDocument): DocumentContent {
  const { kind, mode, number, locale, amount_cents, facts, issued_at } = document;
  const text = documentTextsOf(locale);
  const brand = brandOf(facts.merchant);
  const format = createFormat(locale, facts.payer_timezone ?? brand.timezone);
  const amount = (cents: string | number): string => format.amount(cents, document.amount_currency);
  const { items, sums, tax_included } = facts.receipt ?? refundLine(text, amount_cents);
  return {
    locale,
    brand,
    ...(document.logo && { logo: document.logo }),
    title: text(kind),
    number,
    issued_on: new Date(Math.floor(microsOf(issued_at) / 1000)),
    heads: headsOf(document, text, format),
    parties: partiesOf(facts, brand, text, locale),
    columns: [text('item'), text('quantity'), text('unit_price'), text('amount')],
    items: items.map(({ name, quantity, amount_cents: price }) => [
      oneLine(name),
      new Intl.NumberFormat(locale).format(quantity),
      amount(price),
      amount(quantity * price),
    ]),
    sums: sums.map((sum) => ({ label: text(sum.label), value: amount(sum.amount_cents) })),
    total: { label: text('total'), value: amount(amount_cents) },
    below_total: tax_included ? [{ label: text('tax_included'), value: amount(tax_included) }] : [],
    notes: mode === 'sandbox' ? [text('test_mode')] : [],
    pageText: (page, pages) => text('page', { page: String(page), pages: String(pages) }),
  };
}

/** The one line of a credit note for a part of a payment, whose items are not known. */
const refundLine = (text: Texts, amount_cents: string): ReceiptLines => ({
  items: [{ name: text('refund'), quantity: 1, amount_cents: Number(amount_cents) }],
  sums: [],
});

/** Keeps the order of a Latin number and a date after it. */
const RIGHT_TO_LEFT_MARK = '\u200f';

function headsOf(
  { number, issued_at, locale, facts }: IssuedDocument,
  text: Texts,
  format: Format,
): LabelledValue[] {
  const lead = directionOf(locale) === 'rtl' ? RIGHT_TO_LEFT_MARK : '';
  const { paid_at, period_start_at, period_end_at, purchase_reference, card, original } = facts;
  const period = period_start_at && period_end_at && format.period(period_start_at, period_end_at);
  const heads: readonly (readonly [string, string | undefined])[] = [
    [text('number'), number],
    [text('date'), format.date(issued_at)],
    [
      text('original_document'),
      original &&
        [original.number, format.date(original.issued_at)].map((part) => lead + part).join(', '),
    ],
    [text('payment_date'), format.date(paid_at)],
    [text('period'), period],
    [text('reference'), purchase_reference && oneLine(purchase_reference)],
    [text('paid_with'), card && `${brandName(card.kind as string)} •••• ${card.last_four}`],
  ];
  return heads.flatMap(([label, value]) => (value ? [{ label, value }] : []));
}

function partiesOf(
  { customer, address, merchant }: DocumentFacts,
  brand: Brand,
  text: Texts,
  locale: Locale,
): DocumentContent['parties'] {
  const tax_number = merchant.seller_tax_number;
  const sellerLines = [
    oneLine(merchant.seller_name ?? merchant.business_name ?? '') || brand.name,
    ...addressLines(sellerAddress(merchant), locale),
    tax_number && text('tax_number', { number: tax_number }),
    brand.support_email,
    brand.website,
  ];
  const customerLines = [customer?.name, ...addressLines(address, locale), customer?.email];
  return [
    { label: text('seller'), lines: presentLines(sellerLines) },
    { label: text('customer'), lines: presentLines(customerLines) },
  ].filter(({ lines }) => lines.length > 0);
}

const sellerAddress = (merchant: Row): Row => ({
  line_1: merchant.seller_line_1 ?? null,
  line_2: merchant.seller_line_2 ?? null,
  zip: merchant.seller_zip_code ?? null,
  city: merchant.seller_city ?? null,
  state: merchant.seller_state ?? null,
  country: merchant.seller_country ?? null,
});

const presentLines = (lines: readonly (string | null | undefined)[]): string[] =>
  lines.flatMap((line) => (line ? oneLine(line) : []));

/** Lines of a postal address. The country has its name in the document's language. */
const addressLines = (address: Row | undefined, locale: Locale): (string | null | undefined)[] =>
  address
    ? [
        address.line_1,
        address.line_2,
        [address.zip, address.city, regionOf(address)].filter(Boolean).join(' '),
        address.country && countryName(address.country, locale),
      ]
    : [];

function countryName(alpha3: string, locale: Locale): string {
  const alpha2 = alpha2Codes[alpha3Codes.indexOf(alpha3)];
  const names = new Intl.DisplayNames(locale, { type: 'region' });
  return (alpha2 && names.of(alpha2)) || alpha3;
}
