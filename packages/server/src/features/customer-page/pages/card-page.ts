import { escapeHtml } from '@florin/contract/html.ts';
import type { Page } from '../../../http/pages/page.ts';
import { renderCustomerPage } from './frame.ts';
import { pageBrandOf, renderButtonForm, renderButtonLink, renderCardName } from './parts.ts';
import type { Translator } from './translator.ts';
import type { PageForms, SubscriptionView } from './view.ts';

export const CARD_SCRIPT_URL = '/customer-card.js';

/** Values that mount the payment form. */
export interface CardForm {
  readonly sdk_url: string;
  readonly grant: string;
  readonly subscription_id: string;
}

/**
 * Page to enter another card. The payer types the card into the form's frame, so the page never
 * sees the card.
 */
export function renderCardPage(
  translator: Translator,
  view: SubscriptionView,
  forms: PageForms,
  { sdk_url, grant, subscription_id }: CardForm,
): Page {
  const title = translator.text('change_card');
  const { card, statuses } = view;
  const hasFailed = statuses.some(({ kind }) => kind === 'failed');
  const data = {
    grant,
    subscription: subscription_id,
    busy: translator.text('card_saving'),
    unavailable: translator.text('card_unavailable'),
  };
  const attributes = Object.entries(data).map(
    ([name, value]) => `data-${name}="${escapeHtml(value)}"`,
  );
  return renderCustomerPage(translator, {
    title,
    brand: pageBrandOf(view.merchant, forms),
    sandbox: view.sandbox,
    scripts: [sdk_url, CARD_SCRIPT_URL],
    main: `<section class="card">
<h1>${escapeHtml(title)}</h1>
${card ? `<p class="soft">${renderCardName(card.brand, card.last_four)}</p>` : ''}
<p>${translator.html(hasFailed ? 'card_text_retry' : 'card_text')}</p>
<noscript><p class="message problem">${translator.html('card_no_script')}</p></noscript>
${renderButtonForm(
  forms,
  'change_card',
  translator.text('card_save'),
  'main',
  `<div id="card" class="form" ${attributes.join(' ')}></div>
<p id="card-message" class="message problem" role="alert"></p>
<div id="save" hidden>{button}</div>`,
)}
${renderButtonLink(forms, '', translator.text('back'))}
</section>`,
  });
}
