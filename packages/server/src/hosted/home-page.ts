import { escapeHtml } from '@florin/contract/html.ts';
import { type Page, policy } from './page.ts';

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy({
    'default-src': "'none'",
    'style-src': "'self'",
    'form-action': "'self'",
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
  }),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
};

const pageOf = (status: number, title: string, body: string): Page => ({
  status,
  headers: HEADERS,
  html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="/home.css">
</head>
<body>
<header class="top"><span class="name">Florin</span><span class="tag">Sandbox</span></header>
<main class="single">
${body}
</main>
</body>
</html>
`,
});

export interface HomeView {
  readonly base_url: string;
  readonly has_shop: boolean;
  /** After a wrong address or password. */
  readonly refused?: boolean;
}

/** Where a newcomer lands: what runs here, and the way in. */
export const homePage = ({ base_url, has_shop, refused = false }: HomeView): Page =>
  pageOf(
    refused ? 401 : 200,
    'Florin',
    `<section class="checkout">
<h1>Florin is running</h1>
<p>The interface is at <code>${escapeHtml(base_url)}/v2</code>; its <a href="/docs">reference</a> says what it can do.${has_shop ? ' Take a sandbox payment in the <a href="/shop">demo shop</a>.' : ''}</p>
<h2>Sign in</h2>
${refused ? '<p class="message" role="alert">Address or password is wrong, or there were too many tries. They are printed when Florin starts.</p>' : ''}
<form method="post" action="/session" class="stack">
<label>E-mail <input name="email" type="email" autocomplete="username" required></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<button type="submit">Sign in</button>
</form>
</section>`,
  );

interface KeyView extends Readonly<Record<'name' | 'context' | 'mode' | 'created', string>> {
  /** When it ends or has ended; undefined where it does not. */
  readonly expiry: string | undefined;
  /** Whether it is refused: it has expired or was revoked. */
  readonly over: boolean;
}

export interface AccountView {
  readonly business_name: string;
  readonly keys: readonly KeyView[];
  readonly payments: readonly Readonly<Record<'id' | 'amount' | 'status' | 'created', string>>[];
}

/** What an account sees after it has signed in: its merchant's keys and latest sandbox payments. */
export const accountPage = ({ business_name, keys, payments }: AccountView): Page =>
  pageOf(
    200,
    `${business_name} – Florin`,
    `<section class="checkout">
<h1>${escapeHtml(business_name)}</h1>
<h2>Keys</h2>
${table(
  ['Name', 'State', 'For', 'Mode', 'Made'],
  keys.map((key) => [key.name, keyState(key), key.context, key.mode, key.created]),
)}
<p class="soft small">A key's value is shown only when it is made. Where it is lost, revoke the key and make another.</p>
<h2>Latest sandbox payments</h2>
${
  payments.length > 0
    ? table(
        ['Payment', 'Amount', 'State', 'Made'],
        payments.map((one) => [one.id, one.amount, one.status, one.created]),
      )
    : '<p>None yet.</p>'
}
<form method="post" action="/session/end"><button type="submit">Sign out</button></form>
</section>`,
  );

function keyState({ expiry, over }: KeyView): string {
  if (over) return `Ended ${expiry}`;
  return expiry === undefined ? 'Works' : `Works until ${expiry}`;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = heads.map((text) => `<th scope="col">${escapeHtml(text)}</th>`).join('');
  const body = rows.map(
    (row) => `<tr>${row.map((text) => `<td>${escapeHtml(text)}</td>`).join('')}</tr>`,
  );
  return `<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table></div>`;
}
