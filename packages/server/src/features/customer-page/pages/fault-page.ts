import { escapeHtml } from '@florin/contract/html.ts';
import type { Page } from '../../../http/pages/page.ts';
import { framed } from './frame.ts';
import type { Speech } from './speech.ts';

/** Why there is nothing to see: the link opens nothing, too much was asked for, it may not be done, or we failed. */
export type Fault = 'gone' | 'busy' | 'forbidden' | 'broken';

/** Says what is amiss, and nothing of whose page it would have been. `back` is where a good link leads. */
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
