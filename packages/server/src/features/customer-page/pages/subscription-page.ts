import { escapeHtml } from '@florin/contract/html.ts';
import type { Page } from '../../../http/pages/page.ts';
import { framed } from './frame.ts';
import { buttonForm, buttonLink, cardText, contacts, fact, MESSAGE_ID } from './parts.ts';
import { apart, type Speech, type TextName } from './speech.ts';
import type { ChargeView, PageForms, StandingView, SubscriptionView } from './view.ts';

/** Outcome of the customer's request. */
export interface Notice {
  readonly kind: 'done' | 'problem';
  readonly text: string;
}

/** The page with a subscription, and the actions that the merchant allows. */
export function subscriptionPage(
  speech: Speech,
  view: SubscriptionView,
  forms: PageForms,
  notice?: Notice,
): Page {
  const title = speech.text('title');
  return framed(speech, {
    title,
    merchant_name: view.merchant.name,
    sandbox: view.sandbox,
    main: `<h1>${escapeHtml(title)}</h1>
${notice ? noticeOf(notice) : ''}
<section class="card" aria-labelledby="what">
<h2 id="what">${view.name === undefined ? escapeHtml(title) : apart(view.name)}</h2>
${standings(speech, view)}
${facts(speech, view)}
${actions(speech, view, forms)}
</section>
<section class="card" aria-labelledby="payments">
<h2 id="payments">${speech.html('payments')}</h2>
${charges(speech, view, forms)}
</section>
${contacts(speech, view.merchant)}`,
  });
}

const noticeOf = ({ kind, text }: Notice): string =>
  `<p id="${MESSAGE_ID}" class="message ${kind}" role="${kind === 'done' ? 'status' : 'alert'}" tabindex="-1">${escapeHtml(text)}</p>`;

function standings(speech: Speech, view: SubscriptionView): string {
  const [first] = view.standings;
  const kind = first?.kind ?? 'active';
  const words = view.standings.flatMap((standing) => aboutStanding(speech, view, standing));
  return `<p class="standing"><strong class="badge ${kind}">${speech.html(`state_${kind}`)}</strong></p>
${words.map((text) => `<p>${text}</p>`).join('\n')}`;
}

function aboutStanding(
  speech: Speech,
  { actions, merchant }: SubscriptionView,
  { kind, at }: StandingView,
): string[] {
  const date = at === undefined ? undefined : speech.date(at);
  switch (kind) {
    case 'failed':
      return [
        actions.has('change_card')
          ? speech.html('about_failed_card')
          : speech.html('about_failed_contact', { merchant: merchant.name }),
        ...(date ? [speech.html('about_retry', { date })] : []),
      ];
    case 'pending':
    case 'paused':
      return [speech.html(`about_${kind}`)];
    case 'trial':
    case 'ending':
    case 'cancelled':
      return date ? [speech.html(`about_${kind}`, { date })] : [];
    default:
      return [];
  }
}

function facts(speech: Speech, view: SubscriptionView): string {
  const { price, period, next, paid_until, card } = view;
  const lines = [
    fact(
      speech,
      'price',
      `${apart(speech.amount(price))}<br><span class="soft">${speech.html(`every_${period}`)}</span>`,
    ),
    next
      ? fact(
          speech,
          'next_payment',
          `${apart(speech.date(next.at))}${next.price.amount === price.amount ? '' : `<br>${apart(speech.amount(next.price))}`}`,
        )
      : '',
    paid_until ? fact(speech, 'paid_until', apart(speech.date(paid_until))) : '',
    card ? fact(speech, 'card', cardText(speech, card)) : '',
  ];
  return `<dl class="facts">${lines.join('\n')}</dl>`;
}

/** Cancelling leads to a confirmation page; reversible actions are immediate. */
function actions(speech: Speech, view: SubscriptionView, forms: PageForms): string {
  const { actions, standings } = view;
  const label = (name: TextName): string => speech.text(name);
  const wanted = standings[0]?.kind === 'failed' ? 'main' : 'plain';
  const all = [
    actions.has('change_card') && buttonLink(forms, '/card', label('change_card'), wanted),
    actions.has('keep') && buttonForm(forms, 'keep', label('keep'), 'main'),
    actions.has('resume') && buttonForm(forms, 'resume', label('resume'), 'main'),
    actions.has('pause') && buttonForm(forms, 'pause', label('pause')),
    (actions.has('cancel_later') || actions.has('cancel_now')) &&
      buttonLink(forms, '/cancel', label('cancel')),
  ].filter(Boolean);
  return all.length > 0 ? `<div class="actions">${all.join('\n')}</div>` : '';
}

function charges(speech: Speech, view: SubscriptionView, forms: PageForms): string {
  const { charges, has_more } = view;
  if (charges.length === 0) return `<p>${speech.html('no_payments')}</p>`;
  const lines = charges.map((charge) => chargeLine(speech, charge, forms));
  const count = new Intl.NumberFormat(speech.tag).format(charges.length);
  return `<ul class="charges">${lines.join('\n')}</ul>
${has_more ? `<p class="soft">${speech.html('payments_latest', { count })}</p>` : ''}`;
}

function chargeLine(speech: Speech, charge: ChargeView, { path, query }: PageForms): string {
  const { id, at, price, state, has_receipt } = charge;
  const date = speech.date(at);
  const receipt = speech.text('receipt');
  return `<li>
<time datetime="${new Date(at).toISOString()}">${escapeHtml(date)}</time>
<span class="amount">${apart(speech.amount(price))}</span>
<span class="badge ${state}">${speech.html(state)}</span>
${
  has_receipt
    ? `<a href="${escapeHtml(`${path}/receipts/${id}${query}`)}" aria-label="${escapeHtml(`${receipt}, ${date}`)}">${escapeHtml(receipt)}</a>`
    : ''
}
</li>`;
}
