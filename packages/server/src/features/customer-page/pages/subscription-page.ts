import { escapeHtml } from '@florin/contract/html.ts';
import type { Page } from '../../../http/pages/page.ts';
import { renderCustomerPage } from './frame.ts';
import {
  MESSAGE_ID,
  pageBrandOf,
  renderButtonForm,
  renderButtonLink,
  renderCard,
  renderContacts,
  renderFact,
} from './parts.ts';
import { isolate, type TextName, type Translator } from './translator.ts';
import type { ChargeView, PageForms, StatusView, SubscriptionView } from './view.ts';

/** Message about the outcome of the customer's request. */
export interface Notice {
  readonly kind: 'done' | 'problem';
  readonly text: string;
}

/** Page of a subscription with the actions that the merchant allows. */
export function renderSubscriptionPage(
  translator: Translator,
  view: SubscriptionView,
  forms: PageForms,
  notice?: Notice,
): Page {
  const title = translator.text('title');
  return renderCustomerPage(translator, {
    title,
    brand: pageBrandOf(view.merchant, forms),
    sandbox: view.sandbox,
    main: `<h1>${escapeHtml(title)}</h1>
${notice ? renderNotice(notice) : ''}
<section class="card" aria-labelledby="what">
<h2 id="what">${view.name === undefined ? escapeHtml(title) : isolate(view.name)}</h2>
${renderStatuses(translator, view)}
${renderFacts(translator, view)}
${renderActions(translator, view, forms)}
</section>
<section class="card" aria-labelledby="payments">
<h2 id="payments">${translator.html('payments')}</h2>
${renderCharges(translator, view, forms)}
</section>
${renderContacts(translator, view.merchant)}`,
  });
}

const renderNotice = ({ kind, text }: Notice): string =>
  `<p id="${MESSAGE_ID}" class="message ${kind}" role="${kind === 'done' ? 'status' : 'alert'}" tabindex="-1">${escapeHtml(text)}</p>`;

function renderStatuses(translator: Translator, view: SubscriptionView): string {
  const [mainStatus] = view.statuses;
  const kind = mainStatus?.kind ?? 'active';
  const texts = view.statuses.flatMap((status) => statusTextsOf(translator, view, status));
  return `<p class="status"><strong class="badge ${kind}">${translator.html(`state_${kind}`)}</strong></p>
${texts.map((text) => `<p>${text}</p>`).join('\n')}`;
}

function statusTextsOf(
  translator: Translator,
  { actions, merchant }: SubscriptionView,
  { kind, at }: StatusView,
): string[] {
  const date = at === undefined ? undefined : translator.date(at);
  switch (kind) {
    case 'failed':
      return [
        actions.has('change_card')
          ? translator.html('about_failed_card')
          : translator.html('about_failed_contact', { merchant: merchant.name }),
        ...(date ? [translator.html('about_retry', { date })] : []),
      ];
    case 'pending':
    case 'paused':
      return [translator.html(`about_${kind}`)];
    case 'trial':
    case 'ending':
    case 'cancelled':
      return date ? [translator.html(`about_${kind}`, { date })] : [];
    default:
      return [];
  }
}

function renderFacts(translator: Translator, view: SubscriptionView): string {
  const { price, period, next, paid_until, card } = view;
  const lines = [
    renderFact(
      translator,
      'price',
      `${isolate(translator.amount(price))}<br><span class="soft">${translator.html(`every_${period}`)}</span>`,
    ),
    next
      ? renderFact(
          translator,
          'next_payment',
          `${isolate(translator.date(next.at))}${next.price.amount === price.amount ? '' : `<br>${isolate(translator.amount(next.price))}`}`,
        )
      : '',
    paid_until ? renderFact(translator, 'paid_until', isolate(translator.date(paid_until))) : '',
    card ? renderFact(translator, 'card', renderCard(translator, card)) : '',
  ];
  return `<dl class="facts">${lines.join('\n')}</dl>`;
}

/**
 * Buttons of the allowed actions. A cancellation opens a confirmation page; reversible actions
 * happen immediately.
 */
function renderActions(translator: Translator, view: SubscriptionView, forms: PageForms): string {
  const { actions, statuses } = view;
  const label = (name: TextName): string => translator.text(name);
  const cardStyle = statuses[0]?.kind === 'failed' ? 'main' : 'plain';
  const actionLinks = [
    actions.has('change_card') && renderButtonLink(forms, '/card', label('change_card'), cardStyle),
    actions.has('keep') && renderButtonForm(forms, 'keep', label('keep'), 'main'),
    actions.has('resume') && renderButtonForm(forms, 'resume', label('resume'), 'main'),
    actions.has('pause') && renderButtonForm(forms, 'pause', label('pause')),
    (actions.has('cancel_later') || actions.has('cancel_now')) &&
      renderButtonLink(forms, '/cancel', label('cancel')),
  ].filter(Boolean);
  return actionLinks.length > 0 ? `<div class="actions">${actionLinks.join('\n')}</div>` : '';
}

function renderCharges(translator: Translator, view: SubscriptionView, forms: PageForms): string {
  const { charges, has_more } = view;
  if (charges.length === 0) return `<p>${translator.html('no_payments')}</p>`;
  const lines = charges.map((charge) => renderChargeLine(translator, charge, forms));
  const count = new Intl.NumberFormat(translator.tag).format(charges.length);
  return `<ul class="charges">${lines.join('\n')}</ul>
${has_more ? `<p class="soft">${translator.html('payments_latest', { count })}</p>` : ''}`;
}

function renderChargeLine(
  translator: Translator,
  charge: ChargeView,
  { path, query }: PageForms,
): string {
  const { id, at, price, state, has_receipt } = charge;
  const date = translator.date(at);
  const receipt = translator.text('receipt');
  return `<li>
<time datetime="${new Date(at).toISOString()}">${escapeHtml(date)}</time>
<span class="amount">${isolate(translator.amount(price))}</span>
<span class="badge ${state}">${translator.html(state)}</span>
${
  has_receipt
    ? `<a href="${escapeHtml(`${path}/receipts/${id}${query}`)}" aria-label="${escapeHtml(`${receipt}, ${date}`)}">${escapeHtml(receipt)}</a>
<a href="${escapeHtml(`${path}/receipts/${id}/pdf`)}" aria-label="${escapeHtml(`PDF, ${date}`)}">PDF</a>`
    : ''
}
</li>`;
}
