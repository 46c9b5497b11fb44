import { escapeHtml } from '@florin/contract/html.ts';
import { CLOSED_HEADERS } from '../../../http/pages/closed-page.ts';
import { type Page, renderPolicy, styleSource } from '../../../http/pages/page.ts';
import type { Money } from '../../../processors/port/message.ts';
import { renderCardName, renderFact } from './parts.ts';
import { isolate, type TextName, type Translator } from './translator.ts';
import type { CardView, Instant, MerchantView } from './view.ts';

export interface ReceiptLine {
  readonly name: string;
  readonly quantity: number;
  /** Price of one unit. */
  readonly price: Money;
}

/** Content of a receipt. Amounts as charged. */
export interface ReceiptView {
  readonly merchant: MerchantView;
  readonly sandbox: boolean;
  /** The merchant's reference of the purchase. The same on all charges of a subscription. */
  readonly reference: string | undefined;
  /** Unique number of this charge, made by Florin. */
  readonly number: string;
  readonly at: Instant;
  readonly period: { readonly start: Instant; readonly end: Instant } | undefined;
  readonly customer: { readonly name?: string | undefined; readonly email: string } | undefined;
  readonly description: string | undefined;
  readonly lines: readonly ReceiptLine[];
  /** Sums below the items. The total includes them. */
  readonly sums: readonly { readonly label: TextName; readonly price: Money }[];
  /** Tax that the total includes. Undefined if one of `sums` is the tax. */
  readonly tax_included: Money | undefined;
  readonly total: Money;
  readonly card: Pick<CardView, 'brand' | 'last_four'> | undefined;
  readonly refunds: readonly { readonly at: Instant; readonly price: Money }[];
}

/** Receipt as a self-contained HTML document that customers save and print. */
export function renderReceiptPage(translator: Translator, view: ReceiptView): Page {
  const title = translator.text('receipt');
  const contentPolicy = renderPolicy({ 'default-src': "'none'", 'style-src': styleSource(STYLE) });
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-disposition': `attachment; filename="receipt-${fileNameOf(view)}.html"`,
      'content-security-policy': `${contentPolicy}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      ...CLOSED_HEADERS,
    },
    html: `<!doctype html>
<html lang="${escapeHtml(translator.tag)}" dir="${translator.direction}">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${escapeHtml(contentPolicy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(`${title} ${view.number}`)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${view.sandbox ? `<p class="soft">${translator.html('test_mode')}</p>` : ''}
<dl>
${renderHeads(translator, view)}
</dl>
${renderItems(translator, view)}
${renderRefunds(translator, view)}
</main>
</body>
</html>
`,
  };
}

function renderHeads(translator: Translator, view: ReceiptView): string {
  const { merchant, reference, number, at, period, customer, card } = view;
  return [
    renderFact(translator, 'number', renderLines([reference, number])),
    renderFact(translator, 'date', isolate(translator.date(at))),
    renderFact(translator, 'seller', renderLines([merchant.name, merchant.email])),
    customer
      ? renderFact(translator, 'customer', renderLines([customer.name, customer.email]))
      : '',
    period
      ? renderFact(
          translator,
          'period',
          `${isolate(translator.date(period.start))} – ${isolate(translator.date(period.end))}`,
        )
      : '',
    card ? renderFact(translator, 'paid_with', renderCardName(card.brand, card.last_four)) : '',
  ].join('\n');
}

const renderLines = (texts: readonly (string | undefined)[]): string =>
  texts.flatMap((text) => (text ? [isolate(text)] : [])).join('<br>');

function renderItems(translator: Translator, view: ReceiptView): string {
  const { description, sums, tax_included, total } = view;
  const renderSum = (name: TextName, price: Money, kind = ''): string =>
    `<tr${kind}><th scope="row" colspan="3">${translator.html(name)}</th><td>${isolate(translator.amount(price))}</td></tr>`;
  return `<table>
${description === undefined ? '' : `<caption>${isolate(description)}</caption>`}
${view.lines.length > 0 ? renderItemRows(translator, view.lines) : ''}
<tfoot>
${sums.map(({ label, price }) => renderSum(label, price)).join('')}
${renderSum('total', total, ' class="total"')}
${tax_included ? renderSum('tax_included', tax_included) : ''}
</tfoot>
</table>`;
}

const COLUMNS = ['item', 'quantity', 'unit_price', 'amount'] as const;

const renderItemRows = (translator: Translator, lines: readonly ReceiptLine[]): string =>
  `<thead><tr>${COLUMNS.map((name) => `<th scope="col">${translator.html(name)}</th>`).join('')}</tr></thead>
<tbody>
${lines.map((line) => renderItemRow(translator, line)).join('\n')}
</tbody>`;

function renderItemRow(translator: Translator, { name, quantity, price }: ReceiptLine): string {
  const count = new Intl.NumberFormat(translator.tag).format(quantity);
  const lineTotal = { ...price, amount: price.amount * quantity };
  return `<tr><td>${isolate(name)}</td><td>${isolate(count)}</td><td>${isolate(translator.amount(price))}</td><td>${isolate(translator.amount(lineTotal))}</td></tr>`;
}

const renderRefunds = (translator: Translator, { refunds }: ReceiptView): string =>
  refunds.length === 0
    ? ''
    : `<h2>${translator.html('refunds')}</h2>
<dl>${refunds.map(({ at, price }) => `<div><dt>${escapeHtml(translator.date(at))}</dt><dd>${isolate(translator.amount(price))}</dd></div>`).join('\n')}</dl>`;

const FILE_NAME_MAX = 60;

/** File name of reference and day, in characters that every file system allows. */
const fileNameOf = ({ reference = '', number, at }: ReceiptView): string =>
  `${reference || number}-${new Date(at).toISOString().slice(0, 10)}`
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(-FILE_NAME_MAX);

const STYLE = `:root{color-scheme:light}body{margin:0;background:#fff;color:#1b2330;font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif}main{max-width:42rem;margin:0 auto;padding:2rem 1rem}h1{margin:0 0 1rem;font-size:1.75rem}h2{font-size:1.125rem}.soft{color:#59636f}dl{margin:0 0 1.5rem}dl div{display:grid;grid-template-columns:minmax(7rem,1fr) 2fr;gap:1rem;padding:.25rem 0}dt{color:#59636f}dd{margin:0;overflow-wrap:anywhere}table{width:100%;border-collapse:collapse}caption{padding-bottom:.5rem;text-align:start}th,td{padding:.45rem .25rem;border-top:1px solid #dfe4ea;text-align:start;vertical-align:top;overflow-wrap:anywhere}th{font-weight:500}td:nth-child(n+2),thead th:nth-child(n+2),tfoot td{text-align:end;font-variant-numeric:tabular-nums}.total th,.total td{border-top:2px solid #1b2330;font-weight:650}@media print{main{max-width:none;padding:0}}`;
