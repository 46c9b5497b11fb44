import { escapeHtml } from '@florin/contract/html.ts';
import { directionOf } from '@florin/contract/locales.ts';
import { ANY_ANCESTOR, formHeaders } from './form-headers.ts';
import type { FormLocale } from './form-locale.ts';
import type { Page } from './page.ts';

/**
 * Which of key and payment is not known; whether a payment that the key has not is somebody else's is not told. Or that the
 * merchant takes no payments now.
 */
export type RefusedForm = 'unknown_key' | 'unknown_payment' | 'merchant_held_back';

/**
 * What the frame shows where there is no form. The text is the same for all, the code is for
 * whoever builds the shop. Any page may show it, as no origins are known without a key.
 */
export const formErrorPage = (
  style: string,
  { tag, texts }: FormLocale,
  code: RefusedForm,
): Page => ({
  status: code === 'merchant_held_back' ? 403 : 404,
  headers: formHeaders({ style, script: false, ancestors: ANY_ANCESTOR }),
  html: `<!doctype html>
<html lang="${escapeHtml(tag)}" dir="${directionOf(tag)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(texts.title ?? '')}</title>
<style>${style}</style>
</head>
<body>
<main>
<div class="refusal">
<h1>${escapeHtml(texts.refused_title ?? '')}</h1>
<p>${escapeHtml(texts.refused_text ?? '')}</p>
<p><code>${code}</code></p>
</div>
</main>
</body>
</html>
`,
});
