import { escapeHtml } from '@florin/contract/html.ts';
import type { Page } from '../../../http/pages/page.ts';
import { framed } from './frame.ts';
import { buttonForm, buttonLink } from './parts.ts';
import { apart, type Speech } from './speech.ts';
import type { PageForms, SubscriptionView } from './view.ts';

/** Asks for confirmation of a cancellation, and explains each choice. */
export function cancelPage(speech: Speech, view: SubscriptionView, forms: PageForms): Page {
  const title = speech.text('cancel_title');
  const { actions, ends_with_period_at, name } = view;
  const date = ends_with_period_at === undefined ? '' : speech.date(ends_with_period_at);
  return framed(speech, {
    title,
    merchant_name: view.merchant.name,
    sandbox: view.sandbox,
    main: `<section class="card">
<h1>${escapeHtml(title)}</h1>
${name === undefined ? '' : `<p><strong>${apart(name)}</strong></p>`}
${
  actions.has('cancel_later')
    ? `<p>${speech.html('cancel_later_text', { date })}</p>
${buttonForm(forms, 'cancel_later', speech.text('cancel_later', { date }), 'grave')}`
    : ''
}
${
  actions.has('cancel_now')
    ? `<p>${speech.html('cancel_now_text')}</p>
${buttonForm(forms, 'cancel_now', speech.text('cancel_now'), 'grave')}`
    : ''
}
${buttonLink(forms, '', speech.text('back'))}
</section>`,
  });
}
