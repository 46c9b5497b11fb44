import { escapeHtml } from '@florin/contract/html.ts';
import type { Page } from '../../../http/pages/page.ts';
import { renderCustomerPage } from './frame.ts';
import type { Translator } from './translator.ts';

/** Why a request has no page: invalid link, rate limit, forbidden action or server error. */
export type Fault = 'gone' | 'busy' | 'forbidden' | 'broken';

/**
 * Error page. Does not reveal the merchant or customer. `back` is the URL of the page of a valid
 * link.
 */
export const renderFaultPage = (
  translator: Translator,
  fault: Fault,
  status: number,
  back?: string,
): Page =>
  renderCustomerPage(translator, {
    status,
    title: translator.text(`${fault}_title`),
    main: `<section class="card">
<h1>${escapeHtml(translator.text(`${fault}_title`))}</h1>
<p>${translator.html(`${fault}_text`)}</p>
${back === undefined ? '' : `<a class="button" href="${escapeHtml(back)}">${translator.html('back')}</a>`}
</section>`,
  });
