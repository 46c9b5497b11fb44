import { escapeHtml } from '@florin/contract/html.ts';
import { type Page, renderPolicy } from '../../../http/pages/page.ts';
import { SUCCESS_MARK } from '../../../http/pages/success-mark.ts';

const mug = { name: 'Enamel mug “Two Shillings”', amount_cents: 2499 } as const;

/** The demo shop's product by currency. The server creates orders for it, and the page shows it. */
export const shopProducts = {
  USD: { ...mug, amount_currency: 'USD', price: '$24.99' },
  EUR: { ...mug, amount_currency: 'EUR', price: '€24.99' },
} as const;

export type ShopProduct = (typeof shopProducts)[keyof typeof shopProducts];

/** The product in a currency that the address names, otherwise in dollars. */
export const shopProductIn = (currency: unknown): ShopProduct =>
  currency === 'EUR' ? shopProducts.EUR : shopProducts.USD;

/** Page of the demo shop for a product. `sdk_url` is the browser SDK's URL on the form's origin. */
export const renderShopPage = (sdk_url: string, product: ShopProduct): Page => ({
  status: 200,
  headers: shopHeaders(new URL(sdk_url).origin),
  html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Florin demo shop</title>
<link rel="stylesheet" href="/shop/shop.css">
<script src="${escapeHtml(sdk_url)}" defer></script>
<script src="/shop/shop.js" defer></script>
</head>
<body>
<header class="top">
<span class="name">Florin demo shop</span>
<span class="tag">Sandbox</span>
</header>
<main>
<section class="product" aria-labelledby="product">
${MUG}
<h1 id="product">${product.name}</h1>
<p class="soft">Half a litre of anything warm. Dishwasher safe, unlike real money.</p>
<dl class="bill">
<div><dt>1 × mug</dt><dd>${product.price}</dd></div>
<div><dt>Shipping</dt><dd>Free</dd></div>
<div class="total"><dt>Total</dt><dd>${product.price}</dd></div>
</dl>
</section>
<section id="offer" class="checkout" aria-labelledby="order">
<h2 id="order">Your order</h2>
<p class="soft">Buy creates a payment in the sandbox. A visit alone creates none.</p>
<p id="problem" class="message" role="alert"></p>
<button id="buy" type="button" disabled>Buy for ${product.price}</button>
</section>
<section class="checkout" aria-labelledby="checkout" hidden>
<h2 id="checkout" tabindex="-1">Pay by card</h2>
<form>
<div id="payment-form" class="form"></div>
<p id="message" class="message" role="alert"></p>
<button id="pay" disabled>Pay ${product.price}</button>
</form>
<p class="soft small">The card form comes from another origin: this page never sees the card. Use one of the <a href="/docs/sandbox/cards">test cards</a>.</p>
</section>
<section id="receipt" class="checkout receipt" aria-labelledby="thanks" hidden>
${SUCCESS_MARK}
<h2 id="thanks" tabindex="-1">Thank you, your payment is approved</h2>
<p>We charged <strong>${product.price}</strong> to your <span id="card"></span>.</p>
<p class="soft small">Payment <code id="payment"></code></p>
<a href="/shop?currency=${product.amount_currency}">Buy another one</a>
</section>
</main>
</body>
</html>
`,
});

/**
 * Security headers of a shop. A shop only needs to allow the form's origin in `script-src` and
 * `frame-src`.
 */
const shopHeaders = (pay_origin: string): Record<string, string> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': renderPolicy({
    'default-src': "'none'",
    'script-src': `'self' ${pay_origin}`,
    'frame-src': pay_origin,
    'style-src': "'self'",
    'connect-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
  }),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cache-control': 'no-store',
});

const MUG = `<svg class="picture" viewBox="0 0 320 240" role="img" aria-label="A blue enamel mug">
<defs>
<linearGradient id="side" x1="0" x2="1"><stop offset="0" stop-color="#2b5fb0"/><stop offset=".45" stop-color="#4f8be0"/><stop offset="1" stop-color="#234f95"/></linearGradient>
</defs>
<ellipse cx="155" cy="205" rx="92" ry="10" fill="#000" opacity=".12"/>
<path d="M222 92c42-8 62 14 56 46s-36 42-62 34" fill="none" stroke="#2b5fb0" stroke-width="15" stroke-linecap="round"/>
<path d="M80 62h150l-9 124a16 16 0 0 1-16 15H105a16 16 0 0 1-16-15z" fill="url(#side)"/>
<ellipse cx="155" cy="62" rx="75" ry="15" fill="#f4f6fa"/>
<ellipse cx="155" cy="63" rx="66" ry="11" fill="#6b3f22"/>
<circle cx="152" cy="134" r="31" fill="#f4f6fa" opacity=".95"/>
<text x="152" y="146" text-anchor="middle" font-family="Georgia, serif" font-size="34" font-weight="700" fill="#234f95">2/–</text>
<path d="M138 40c-6-10 6-14 0-24M164 40c-6-10 6-14 0-24" fill="none" stroke="#8a96a8" stroke-width="3" stroke-linecap="round" opacity=".5"/>
</svg>`;
