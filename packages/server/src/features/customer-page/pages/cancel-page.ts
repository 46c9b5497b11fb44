import { escapeHtml } from '@florin/contract/html.ts';
import type { Page } from '../../../http/pages/page.ts';
import { renderCustomerPage } from './frame.ts';
import { pageBrandOf, renderButtonForm, renderButtonLink } from './parts.ts';
import { isolate, type Translator } from './translator.ts';
import type { PageForms, SubscriptionView } from './view.ts';

/** Page that asks for confirmation of a cancellation and explains each choice. */
export function renderCancelPage(
  translator: Translator,
  view: SubscriptionView,
  forms: PageForms,
): Page {
  const title = translator.text('cancel_title');
  const { actions, ends_with_period_at, name } = view;
  const date = ends_with_period_at === undefined ? '' : translator.date(ends_with_period_at);
  return renderCustomerPage(translator, {
    title,
    brand: pageBrandOf(view.merchant, forms),
    sandbox: view.sandbox,
    main: `<section class="card">
<h1>${escapeHtml(title)}</h1>
${name === undefined ? '' : `<p><strong>${isolate(name)}</strong></p>`}
${
  actions.has('cancel_later')
    ? `<p>${translator.html('cancel_later_text', { date })}</p>
${renderButtonForm(forms, 'cancel_later', translator.text('cancel_later', { date }), 'grave')}`
    : ''
}
${
  actions.has('cancel_now')
    ? `<p>${translator.html('cancel_now_text')}</p>
${renderButtonForm(forms, 'cancel_now', translator.text('cancel_now'), 'grave')}`
    : ''
}
${renderButtonLink(forms, '', translator.text('back'))}
</section>`,
  });
}
