import { ANY_ANCESTOR, formHeaders } from './form-headers.ts';
import type { Page } from './page.ts';

/**
 * What the frame shows where the key or the payment is not known. One text for both: it does not
 * tell which payments exist. Any page may show it, as no origins are known without a key.
 */
export const formErrorPage = (style: string): Page => ({
  status: 404,
  headers: formHeaders({ style, script: false, ancestors: ANY_ANCESTOR }),
  html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Card details</title>
<style>${style}</style>
</head>
<body>
<main>
<div class="refusal">
<h1>The payment form cannot be shown</h1>
<p>There is no such payment for this shop. Reload the page, or tell the shop about it.</p>
</div>
</main>
</body>
</html>
`,
});
