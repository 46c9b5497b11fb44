import { escapeHtml } from '@florin/contract/html.ts';
import type { PageBrand } from '../../../http/pages/brand.ts';
import { isolate, type TextName, type Translator } from './translator.ts';
import type { CardView, MerchantView, PageForms } from './view.ts';

/** HTML id of the message with a form's outcome. The browser focuses it after the redirect. */
export const MESSAGE_ID = 'message';

/** The brand of a page whose logo is below the page's own path. */
export const pageBrandOf = (
  { name, color, has_logo }: MerchantView,
  { path }: Pick<PageForms, 'path'>,
): PageBrand => ({ name, color, logo_path: has_logo ? `${path}/logo` : undefined });

/** A form with one button. `path` is relative to the page's path. */
export function renderButtonForm(
  { path, query, hidden }: PageForms,
  action: string,
  label: string,
  kind: 'plain' | 'main' | 'grave' = 'plain',
  /** Content around the button. `{button}` is its place. */
  content = '{button}',
): string {
  const fields = Object.entries(hidden).map(
    ([name, value]) =>
      `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  return `<form method="post" action="${escapeHtml(`${path}/${action}${query}`)}">${fields.join('')}${content.replace('{button}', () => `<button class="${kind}">${escapeHtml(label)}</button>`)}</form>`;
}

export const renderButtonLink = (
  { path, query }: PageForms,
  subpath: string,
  label: string,
  kind: 'plain' | 'main' = 'plain',
): string =>
  `<a class="button ${kind}" href="${escapeHtml(`${path}${subpath}${query}`)}">${escapeHtml(label)}</a>`;

/** One line of a list of facts. `value` is HTML. */
export const renderFact = (translator: Translator, name: TextName, value: string): string =>
  `<div><dt>${translator.html(name)}</dt><dd>${value}</dd></div>`;

export function renderCard(translator: Translator, card: CardView): string {
  const { brand, last_four, expiry_month, expiry_year, expired } = card;
  const date = `${String(expiry_month).padStart(2, '0')}/${String(expiry_year).slice(-2)}`;
  const expiryText = expired
    ? translator.html('card_expired')
    : translator.html('card_expires', { date });
  return `${renderCardName(brand, last_four)}<br><span class="${expired ? 'wrong' : 'soft'}">${expiryText}</span>`;
}

/** Hides the dots, since screen readers would read each dot aloud. */
export const renderCardName = (brand: string, last_four: string): string =>
  `<bdi>${escapeHtml(brand)} <span aria-hidden="true">••••</span> ${escapeHtml(last_four)}</bdi>`;

/** HTML of the merchant's contacts. Empty if the merchant has none. */
export function renderContacts(translator: Translator, merchant: MerchantView): string {
  const { name, email, help_url, terms_url, privacy_url } = merchant;
  const links = [
    email ? `<a href="${escapeHtml(`mailto:${email}`)}">${isolate(email)}</a>` : '',
    help_url ? renderOutsideLink(help_url, translator.text('help_page')) : '',
    terms_url ? renderOutsideLink(terms_url, translator.text('terms')) : '',
    privacy_url ? renderOutsideLink(privacy_url, translator.text('privacy')) : '',
  ].filter(Boolean);
  return `<footer><p>${translator.html('help', { merchant: name })}</p>
${links.length > 0 ? `<ul>${links.map((link) => `<li>${link}</li>`).join('')}</ul>` : ''}</footer>`;
}

const renderOutsideLink = (url: string, label: string): string =>
  /^https?:/i.test(url)
    ? `<a href="${escapeHtml(url)}" rel="noopener noreferrer">${escapeHtml(label)}</a>`
    : '';
