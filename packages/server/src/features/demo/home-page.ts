import { escapeHtml } from '@florin/contract/html.ts';
import { type Page, renderPolicy } from '../../http/pages/page.ts';

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': renderPolicy({
    'default-src': "'none'",
    'style-src': "'self'",
    'form-action': "'none'",
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
  }),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
};

export interface HomeView {
  readonly base_url: string;
  readonly has_shop: boolean;
}

/** Start page: a list of this installation's sites with links. */
export const renderHomePage = ({ base_url, has_shop }: HomeView): Page => ({
  status: 200,
  headers: HEADERS,
  html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Florin</title>
<link rel="stylesheet" href="/home.css">
</head>
<body>
<header class="top"><span class="name">Florin</span></header>
<main class="single">
<section class="checkout">
<h1>Florin is running</h1>
<ul>
<li><a href="/dashboard/">Dashboard</a>: see payments, capture and refund them.</li>
<li><a href="/docs">Documentation</a>: first payment, guides and API reference.</li>${has_shop ? '\n<li><a href="/shop">Demo shop</a>: make a sandbox payment.</li>' : ''}
</ul>
<p>The API is at <code>${escapeHtml(base_url)}/v2</code>.</p>
</section>
</main>
</body>
</html>
`,
});
