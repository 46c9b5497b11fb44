import { escapeHtml } from '@florin/contract/html.ts';
import type { Page } from '../../../http/pages/page.ts';
import { SUCCESS_MARK } from '../../../http/pages/success-mark.ts';
import type { Language } from '../../checkout/pages/language.ts';
import type { TextName } from '../../checkout/pages/texts.ts';
import { linkAssets, renderLinkPage } from './frame.ts';

/** Data that every page of a link shows. */
export interface LinkView {
  readonly language: Language;
  readonly path: string;
  readonly merchant: string;
  /** The merchant's colour, as `#rrggbb`. */
  readonly color?: string | undefined;
  /** Path of the merchant's logo, which replaces the name at the top. */
  readonly logo_path?: string | undefined;
  readonly sandbox: boolean;
  readonly title: string;
  readonly description: string | null;
  /** Amount with currency, formatted in the payer's language. */
  readonly amount: string;
  /** Billing interval; null for a single payment. */
  readonly billing_period: string | null;
}

/** Fields of a payer's details. */
const fields = ['email', 'name'] as const;
type FieldName = (typeof fields)[number];
/** Validation errors by field, as names of translated texts. */
export type FieldErrors = Readonly<Partial<Record<FieldName, TextName>>>;

export interface DetailsView extends LinkView {
  /** Key of the rendered page: submitting it twice begins one payment. */
  readonly page_key: string;
  readonly entered?: Readonly<Record<FieldName, string>>;
  readonly field_errors?: FieldErrors;
}

/** First page: the purchase, and a form for the payer's details. Works without a script. */
export function detailsPage(view: DetailsView): Page {
  const { language, path, page_key, field_errors = {}, entered } = view;
  const { text } = language;
  const isWrong = Object.keys(field_errors).length > 0;
  return renderPageWithTitle(view, {
    status: isWrong ? 422 : 200,
    body: `${renderOffer(view)}
<section class="checkout" aria-labelledby="details">
<h2 id="details">${escapeHtml(text('details'))}</h2>
<form method="post" action="${escapeHtml(path)}" novalidate>
<input type="hidden" name="page_key" value="${escapeHtml(page_key)}">
${fields.map((name) => renderField(language, name, entered?.[name] ?? '', field_errors)).join('\n')}
<button type="submit">${escapeHtml(text('continue'))}</button>
</form>
</section>`,
  });
}

function renderField(
  { text }: Language,
  name: FieldName,
  value: string,
  field_errors: FieldErrors,
): string {
  const error = field_errors[name];
  const firstError = fields.find((field) => field_errors[field]);
  const errorAttributes = error ? ` aria-invalid="true" aria-describedby="${name}-flaw"` : '';
  const focus = name === firstError ? ' autofocus' : '';
  const message = error ? `\n<p class="flaw" id="${name}-flaw">${escapeHtml(text(error))}</p>` : '';
  const type = name === 'email' ? 'email' : 'text';
  return `<div class="field">
<label for="${name}">${escapeHtml(text(name))}</label>
<input id="${name}" name="${name}" type="${type}" autocomplete="${name}" dir="auto" maxlength="254" required value="${escapeHtml(value)}"${errorAttributes}${focus}>${message}
</div>`;
}

export interface CardPageView extends LinkView {
  /** Payment that the card form charges. */
  readonly payment_id: string;
  /** Whether the payer entered details, and may change them. */
  readonly has_details: boolean;
  readonly grant: string;
  /** Path that charges the payment. */
  readonly confirm_path: string;
  /** Address that the browser opens after the payment. */
  readonly onward: string;
}

/** Second page, and the first one of a customer's link: the hosted card form. */
export function linkCardPage(view: CardPageView): Page {
  const { language, path, color, payment_id, has_details, grant, confirm_path, onward } = view;
  const { text } = language;
  const data = {
    payment: payment_id,
    grant,
    confirm: confirm_path,
    onward,
    ended: path,
    locale: language.tag,
    'no-form': text('no_form'),
    failed: text('failed'),
    ...(color && { accent: color }),
  };
  const attributes = Object.entries(data).map(
    ([name, value]) => `data-${name}="${escapeHtml(value)}"`,
  );
  return renderPageWithTitle(view, {
    scripts: ['/v1/florin.js', linkAssets.script],
    body: `${renderOffer(view)}
<section class="checkout" aria-labelledby="card">
<h2 id="card">${escapeHtml(text('card'))}</h2>
<div id="payment-form" class="form" ${attributes.join(' ')}></div>
<noscript><p class="message">${escapeHtml(text('no_script'))}</p></noscript>
<p id="message" class="message" role="alert"></p>
${has_details ? `<p class="small"><a href="${escapeHtml(path)}">${escapeHtml(text('change'))}</a></p>` : ''}
</section>`,
  });
}

/** Page between the confirmation and the issuer's response. */
export function waitingPage(view: LinkView): Page {
  const { text } = view.language;
  return renderPageWithTitle(view, {
    scripts: [linkAssets.script],
    body: `<section class="checkout" role="status">
<h1>${escapeHtml(text('waiting_title'))}</h1>
<p>${escapeHtml(text('waiting_text'))}</p>
</section>`,
  });
}

export interface PaidView extends LinkView {
  readonly reference: string;
  /** Merchant's address that payers return to. */
  readonly success_url: string | null;
}

/** Last page: paid amount and payment number. */
export function paidPage(view: PaidView): Page {
  const { language, title, reference, success_url } = view;
  const { text } = language;
  return renderPageWithTitle(view, {
    body: `<section class="checkout">
${SUCCESS_MARK}
<h1 tabindex="-1" autofocus>${escapeHtml(text('paid_title'))}</h1>
<p><bdi>${escapeHtml(title)}</bdi></p>
<dl class="bill">
<div><dt>${escapeHtml(text('amount'))}</dt><dd>${escapeHtml(priceText(view))}</dd></div>
<div><dt>${escapeHtml(text('reference'))}</dt><dd><bdi>${escapeHtml(reference)}</bdi></dd></div>
</dl>
${success_url ? continueLink(language, success_url) : ''}
</section>`,
  });
}

const continueLink = ({ text }: Language, url: string): string =>
  `<p><a href="${escapeHtml(url)}">${escapeHtml(text('onward', { host: new URL(url).host }))}</a></p>`;

/** Page of a link that accepts no more payments. */
export const endedPage = (view: LinkView, reason: 'expired' | 'used_up'): Page =>
  renderPageWithTitle(view, {
    status: 410,
    body: renderNotice(view.language, `${reason}_title`, 'ended_text', view),
  });

/** Page of a link whose merchant takes no payments at present. */
export const suspendedPage = (view: LinkView): Page =>
  renderPageWithTitle(view, {
    status: 503,
    body: renderNotice(view.language, 'held_title', 'held_text', view),
  });

/**
 * Page of a link whose merchant has no processor. Shows the error code for merchants, who often
 * open the link first.
 */
export function noProcessorPage(view: LinkView): Page {
  const { text } = view.language;
  return renderPageWithTitle(view, {
    status: 503,
    body: `<section class="checkout">
<h1>${escapeHtml(text('no_processor_title'))}</h1>
<p>${escapeHtml(text('no_processor_text'))}</p>
<p class="soft small"><code>no_processor</code></p>
</section>`,
  });
}

export const unknownPage = (language: Language): Page => noticePage(language, 404, 'unknown');

/** Page for a payer who exceeds a rate limit, or while the concurrency limit is reached. */
export const unavailablePage = (language: Language): Page => noticePage(language, 429, 'busy');

export const failedPage = (language: Language, status: number): Page =>
  renderLinkPage({
    status,
    language,
    title: language.text('failed'),
    body: `<section class="checkout"><h1>${escapeHtml(language.text('failed'))}</h1></section>`,
  });

function noticePage(language: Language, status: number, notice: 'unknown' | 'busy'): Page {
  const title = `${notice}_title` as const;
  const body = renderNotice(language, title, `${notice}_text`);
  return renderLinkPage({ status, language, title: language.text(title), body });
}

const renderNotice = (
  { text }: Language,
  title: TextName,
  message: TextName,
  { merchant = '' }: { readonly merchant?: string } = {},
): string => `<section class="checkout">
<h1>${escapeHtml(text(title))}</h1>
<p>${escapeHtml(text(message, { merchant }))}</p>
</section>`;

interface PageOptions {
  readonly status?: number;
  readonly scripts?: readonly string[];
  readonly body: string;
}

const renderPageWithTitle = (
  { language, merchant, sandbox, color, logo_path }: LinkView,
  { status = 200, ...rest }: PageOptions,
): Page =>
  renderLinkPage({
    status,
    language,
    merchant,
    sandbox,
    color,
    logo_path,
    title: language.text('title', { merchant }),
    ...rest,
  });

const renderOffer = (view: LinkView): string => `<section class="offer">
<h1><bdi>${escapeHtml(view.title)}</bdi></h1>
<p class="price">${escapeHtml(priceText(view))}</p>
${view.description ? `<p class="soft"><bdi>${escapeHtml(view.description)}</bdi></p>` : ''}
</section>`;

/** Amount and billing interval as text. */
const priceText = ({ language, amount, billing_period }: LinkView): string =>
  billing_period ? language.text(billing_period as TextName, { amount }) : amount;
