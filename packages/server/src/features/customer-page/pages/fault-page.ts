import { escapeHtml } from '@florin/contract/html.ts';
import type { Page } from '../../../http/pages/page.ts';
import { framed } from './frame.ts';
import type { Speech } from './speech.ts';

/** Why there is no page: invalid link, rate limit, forbidden action, or server error. */
export type Fault = 'gone' | 'busy' | 'forbidden' | 'broken';

/** Shows the error without revealing whose page it was. `back` is the address of a valid link. */
export const faultPage = (speech: Speech, fault: Fault, status: number, back?: string): Page =>
  framed(speech, {
    status,
    title: speech.text(`${fault}_title`),
    main: `<section class="card">
<h1>${escapeHtml(speech.text(`${fault}_title`))}</h1>
<p>${speech.html(`${fault}_text`)}</p>
${back === undefined ? '' : `<a class="button" href="${escapeHtml(back)}">${speech.html('back')}</a>`}
</section>`,
  });
