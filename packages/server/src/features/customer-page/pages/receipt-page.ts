import { escapeHtml } from '@florin/contract/html.ts';
import { CLOSED_HEADERS } from '../../../http/pages/closed-page.ts';
import { type Page, policy, styleSource } from '../../../http/pages/page.ts';
import type { Money } from '../../../processors/message.ts';
import { cardName, fact } from './parts.ts';
import { apart, type Speech, type TextName } from './speech.ts';
import type { CardView, Instant, MerchantView } from './view.ts';

export interface ReceiptLine {
  readonly name: string;
  readonly quantity: number;
  /** Price of one. */
  readonly price: Money;
}

/** Content of a receipt. Amounts are as charged. */
export interface ReceiptView {
  readonly merchant: MerchantView;
  readonly sandbox: boolean;
  /** The merchant's reference of the purchase, the same on each of its charges. */
  readonly reference: string | undefined;
  /** Our number of this charge alone. */
  readonly number: string;
  readonly at: Instant;
  readonly period: { readonly start: Instant; readonly end: Instant } | undefined;
  readonly customer: { readonly name?: string | undefined; readonly email: string } | undefined;
  readonly description: string | undefined;
  readonly lines: readonly ReceiptLine[];
  /** Sums beside the lines; the total includes both. */
  readonly sums: readonly { readonly label: TextName; readonly price: Money }[];
  /** Included tax, unless it is one of the sums. */
  readonly tax_included: Money | undefined;
  readonly total: Money;
  readonly card: Pick<CardView, 'brand' | 'last_four'> | undefined;
  readonly refunds: readonly { readonly at: Instant; readonly price: Money }[];
}

/** A receipt as a self-contained document, to save and print. */
export function receiptPage(speech: Speech, view: ReceiptView): Page {
  const title = speech.text('receipt');
  const safe = policy({ 'default-src': "'none'", 'style-src': styleSource(STYLE) });
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-disposition': `attachment; filename="receipt-${fileName(view)}.html"`,
      'content-security-policy': `${safe}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      ...CLOSED_HEADERS,
    },
    html: `<!doctype html>
<html lang="${escapeHtml(speech.tag)}" dir="${speech.direction}">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${escapeHtml(safe)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(`${title} ${view.number}`)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${view.sandbox ? `<p class="soft">${speech.html('test_mode')}</p>` : ''}
<dl>
${heads(speech, view)}
</dl>
${items(speech, view)}
${refunds(speech, view)}
</main>
</body>
</html>
`,
  };
}

function heads(speech: Speech, view: ReceiptView): string {
  const { merchant, reference, number, at, period, customer, card } = view;
  return [
    fact(speech, 'number', lines([reference, number])),
    fact(speech, 'date', apart(speech.date(at))),
    fact(speech, 'seller', lines([merchant.name, merchant.email])),
    customer ? fact(speech, 'customer', lines([customer.name, customer.email])) : '',
    period
      ? fact(
          speech,
          'period',
          `${apart(speech.date(period.start))} – ${apart(speech.date(period.end))}`,
        )
      : '',
    card ? fact(speech, 'paid_with', cardName(card.brand, card.last_four)) : '',
  ].join('\n');
}

const lines = (texts: readonly (string | undefined)[]): string =>
  texts.flatMap((text) => (text ? [apart(text)] : [])).join('<br>');

function items(speech: Speech, view: ReceiptView): string {
  const { description, sums, tax_included, total } = view;
  const sum = (name: TextName, price: Money, kind = ''): string =>
    `<tr${kind}><th scope="row" colspan="3">${speech.html(name)}</th><td>${apart(speech.amount(price))}</td></tr>`;
  return `<table>
${description === undefined ? '' : `<caption>${apart(description)}</caption>`}
${view.lines.length > 0 ? itemRows(speech, view.lines) : ''}
<tfoot>
${sums.map(({ label, price }) => sum(label, price)).join('')}
${sum('total', total, ' class="total"')}
${tax_included ? sum('tax_included', tax_included) : ''}
</tfoot>
</table>`;
}

const COLUMNS = ['item', 'quantity', 'unit_price', 'amount'] as const;

const itemRows = (speech: Speech, lines: readonly ReceiptLine[]): string =>
  `<thead><tr>${COLUMNS.map((name) => `<th scope="col">${speech.html(name)}</th>`).join('')}</tr></thead>
<tbody>
${lines.map((line) => itemRow(speech, line)).join('\n')}
</tbody>`;

function itemRow(speech: Speech, { name, quantity, price }: ReceiptLine): string {
  const count = new Intl.NumberFormat(speech.tag).format(quantity);
  const whole = { ...price, amount: price.amount * quantity };
  return `<tr><td>${apart(name)}</td><td>${apart(count)}</td><td>${apart(speech.amount(price))}</td><td>${apart(speech.amount(whole))}</td></tr>`;
}

const refunds = (speech: Speech, { refunds }: ReceiptView): string =>
  refunds.length === 0
    ? ''
    : `<h2>${speech.html('refunds')}</h2>
<dl>${refunds.map(({ at, price }) => `<div><dt>${escapeHtml(speech.date(at))}</dt><dd>${apart(speech.amount(price))}</dd></div>`).join('\n')}</dl>`;

const FILE_NAME_MAX = 60;

/** Reference and day, in characters that every file system allows. */
const fileName = ({ reference = '', number, at }: ReceiptView): string =>
  `${reference || number}-${new Date(at).toISOString().slice(0, 10)}`
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(-FILE_NAME_MAX);

const STYLE = `:root{color-scheme:light}body{margin:0;background:#fff;color:#1b2330;font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif}main{max-width:42rem;margin:0 auto;padding:2rem 1rem}h1{margin:0 0 1rem;font-size:1.75rem}h2{font-size:1.125rem}.soft{color:#59636f}dl{margin:0 0 1.5rem}dl div{display:grid;grid-template-columns:minmax(7rem,1fr) 2fr;gap:1rem;padding:.25rem 0}dt{color:#59636f}dd{margin:0;overflow-wrap:anywhere}table{width:100%;border-collapse:collapse}caption{padding-bottom:.5rem;text-align:start}th,td{padding:.45rem .25rem;border-top:1px solid #dfe4ea;text-align:start;vertical-align:top;overflow-wrap:anywhere}th{font-weight:500}td:nth-child(n+2),thead th:nth-child(n+2),tfoot td{text-align:end;font-variant-numeric:tabular-nums}.total th,.total td{border-top:2px solid #1b2330;font-weight:650}@media print{main{max-width:none;padding:0}}`;
