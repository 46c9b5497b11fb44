import { ANY_ANCESTOR, formHeaders } from './form-headers.ts';
import { directionOf, type FormLocale } from './form-locale.ts';
import { escapeHtml, type Page } from './page.ts';

/**
 * What the frame shows where the key or the payment is not known. One text for both: it does not
 * tell which payments exist. Any page may show it, as no origins are known without a key.
 */
export const formErrorPage = (style: string, { tag, texts }: FormLocale): Page => ({
  status: 404,
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
</div>
</main>
</body>
</html>
`,
});
