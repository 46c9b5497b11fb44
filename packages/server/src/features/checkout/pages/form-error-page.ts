import { escapeHtml } from '@florin/contract/html.ts';
import { directionOf } from '@florin/contract/locales.ts';
import { FRAME_HELLO } from '@florin/contract/protocol/frame.ts';
import { ANY_ANCESTOR, formHeaders } from '../../../http/pages/form-headers.ts';
import type { Page } from '../../../http/pages/page.ts';
import type { FormAssets, FormScript } from './form-page.ts';
import type { Language } from './language.ts';

/**
 * Why a frame shows no form. `unknown_payment` does not reveal whether another merchant has the
 * payment. `merchant_held_back`: the merchant may take no payments now. `rate_limited`: the payer's address
 * opened too many forms.
 */
export type RefusedForm = 'unknown_key' | 'unknown_payment' | 'merchant_held_back' | 'rate_limited';

const statuses: Readonly<Record<RefusedForm, number>> = {
  unknown_key: 404,
  unknown_payment: 404,
  merchant_held_back: 403,
  rate_limited: 429,
};

/**
 * Page of a frame without a form: a text for payers and a code for developers. Any page may frame
 * it, since an unknown key has no registered origins.
 */
export const renderFormErrorPage = (
  style: string,
  { tag, text }: Language,
  { title, code }: { readonly title: string; readonly code: RefusedForm },
): Page => ({
  status: statuses[code],
  headers: formHeaders({ style, hasScript: false, ancestors: ANY_ANCESTOR }),
  html: renderRefusal({
    tag,
    style,
    code,
    title,
    heading: text('refused_title'),
    text_shown: text('refused_text'),
  }),
});

/**
 * Page of a frame if no processor takes the payment. Has no card field. The script reports the
 * reason to the SDK and logs `advice` for developers.
 */
export const renderNoProcessorForm = (
  { style, ...script }: FormAssets,
  { tag, text }: Language,
  { title, advice }: { readonly title: string; readonly advice: string },
): Page => ({
  status: 503,
  headers: formHeaders({ style, hasScript: true, ancestors: ANY_ANCESTOR }),
  html: renderRefusal({
    tag,
    style,
    title,
    code: 'no_processor',
    heading: text('no_processor_title'),
    text_shown: text('no_processor_text'),
    script: scriptTag(script, { hello: FRAME_HELLO, code: 'no_processor', message: advice }),
  }),
});

interface Refusal {
  readonly tag: string;
  readonly style: string;
  readonly title: string;
  readonly heading: string;
  readonly text_shown: string;
  readonly code: string;
  /** HTML of a script element, if the page needs one. */
  readonly script?: string;
}

const renderRefusal = ({
  tag,
  style,
  title,
  heading,
  text_shown,
  code,
  script = '',
}: Refusal): string =>
  `<!doctype html>
<html lang="${escapeHtml(tag)}" dir="${directionOf(tag)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
${script}</head>
<body>
<main>
<div class="refusal">
<h1>${escapeHtml(heading)}</h1>
<p>${escapeHtml(text_shown)}</p>
<p><code>${code}</code></p>
</div>
</main>
</body>
</html>
`;

function scriptTag(
  { script_url, script_integrity }: FormScript,
  values: Readonly<Record<string, string>>,
): string {
  const data = Object.entries(values).map(
    ([name, value]) => ` data-${name}="${escapeHtml(value)}"`,
  );
  return `<script src="${escapeHtml(script_url)}" integrity="${escapeHtml(script_integrity)}" defer${data.join('')}></script>\n`;
}
