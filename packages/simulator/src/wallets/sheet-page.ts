import { createHash } from 'node:crypto';
import { escapeHtml } from '@florin/contract/html.ts';
import { amountText } from '@florin/contract/money.ts';
import { type BillingAddress, WALLET_SHEET_HELLO } from '@florin/contract/protocol/frame.ts';
import { walletSheetPaths } from '@florin/contract/protocol/network.ts';
import type { WalletKind } from '@florin/contract/protocol/vault.ts';
import { type BankPage, createRefusalPage } from '../acs/html.ts';
import { type SheetCard, sheetCards } from './sheet-cards.ts';

const walletNames: Readonly<Record<WalletKind, string>> = {
  apple_pay: 'Apple Pay',
  google_pay: 'Google Pay',
};

/** Billing address in the sandbox cardholder's wallet. */
const BILLING_ADDRESS: BillingAddress = {
  line_1: '1 Main Street',
  city: 'New York',
  state: 'NY',
  zip: '10001',
  country: 'US',
};

/** Returns the wallet whose sheet page has this path; undefined for other paths. */
export const walletOfSheet = (path: string): WalletKind | undefined =>
  (Object.keys(walletSheetPaths) as WalletKind[]).find(
    (wallet) => `${walletSheetPaths[wallet]}/sheet` === path,
  );

const AMOUNT = /^\d{1,12}$/;
const CURRENCY = /^[A-Z]{3}$/;

/** Parameters of a sheet: the payment's amount, and the key to encrypt the token for. */
export interface SheetOrder {
  /** Amount in minor units. */
  readonly amount: string;
  readonly currency: string;
  readonly billing_address: boolean;
  /** All query parameters of the sheet, sent back with the cardholder's choice. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** Parses a sheet's query; undefined if it is invalid. */
export function parseSheetOrder(query: URLSearchParams): SheetOrder | undefined {
  const parameters = Object.fromEntries(query);
  const { amount = '', currency = '', billing_address } = parameters;
  if (!AMOUNT.test(amount) || !CURRENCY.test(currency)) return undefined;
  return { amount, currency, billing_address: billing_address === 'true', parameters };
}

/** The sandbox's wallet sheet. Talks to the surrounding page over the message port that the page transfers. */
export function createSheetPage(wallet: WalletKind, query: URLSearchParams): BankPage {
  const order = parseSheetOrder(query);
  if (!order)
    return createRefusalPage(400, 'The sheet cannot be opened: its address has no amount.');
  const { amount, currency, billing_address, parameters } = order;
  const scriptData = { parameters, ...(billing_address && { billing_address: BILLING_ADDRESS }) };
  const addressHtml = billing_address
    ? '<p class="small">Billing address: 1 Main Street, New York, NY 10001, US</p>'
    : '';
  return {
    status: 200,
    headers: HEADERS,
    html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${walletNames[wallet]} (sandbox)</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<header><h1>${walletNames[wallet]}</h1><span>Test mode: no money moves.</span></header>
<form>
<fieldset><legend>Card</legend>
${sheetCards[wallet].map(renderCardChoice).join('\n')}
</fieldset>
${addressHtml}
<p class="wrong" role="alert"></p>
<button class="main">Pay ${escapeHtml(amountText(amount, currency))}</button>
<button type="button" id="cancel">Cancel</button>
</form>
</main>
<script type="application/json" id="order">${JSON.stringify(scriptData).replaceAll('<', '\\u003c')}</script>
<script>${SCRIPT}</script>
</body>
</html>
`,
  };
}

const renderCardChoice = ({ token, kind, label, note }: SheetCard, index: number): string =>
  `<label><input type="radio" name="card" value="${token}" data-kind="${kind}"${index === 0 ? ' checked' : ''}>
<span><strong>${label}</strong><br>${note}</span></label>`;

const STYLE = `
:root{color-scheme:light dark;font:1rem/1.45 system-ui,sans-serif}
body{margin:0;min-height:100dvh;display:grid;place-items:end center;background:light-dark(#dfe3e8,#05080c);color:light-dark(#14181f,#eef1f6)}
main{box-sizing:border-box;width:min(26rem,100%);padding:1.2rem;border-radius:1.2rem 1.2rem 0 0;background:light-dark(#fff,#1a212b);box-shadow:0 0 2.5rem #0004}
@media (min-width:32rem) and (min-height:34rem){body{place-items:center}main{border-radius:1.2rem}}
header{display:flex;flex-wrap:wrap;gap:.3rem 1rem;justify-content:space-between;align-items:center;margin-bottom:.9rem}
header span{padding:.15rem .6rem;border:1px dashed currentColor;border-radius:1rem;font-size:.8rem}
h1{margin:0;font-size:1.2rem}
fieldset{margin:0;padding:0;border:0;display:grid;gap:.5rem}
legend{margin-bottom:.4rem;font-weight:600}
label{display:flex;gap:.8rem;align-items:center;min-height:44px;padding:.5rem .8rem;border:1px solid light-dark(#848e9b,#717d8f);border-radius:.7rem;font-size:.9rem}
label:has(:checked){outline:2px solid light-dark(#0b63d6,#79b0ff);outline-offset:-1px}
input{width:1.2rem;height:1.2rem;flex:none}
p{margin:.7rem 0 0}
.small{font-size:.85rem}
.wrong{color:light-dark(#b3261e,#ff9a91)}
.wrong:empty{margin:0}
button{font:inherit;font-weight:600;width:100%;min-height:3rem;margin-top:.8rem;border:1px solid light-dark(#848e9b,#717d8f);border-radius:.7rem;background:none;color:inherit;cursor:pointer}
button.main{border-color:transparent;background:light-dark(#000,#fff);color:light-dark(#fff,#000)}
:focus-visible{outline:2px solid light-dark(#0b63d6,#79b0ff);outline-offset:2px}
@media (forced-colors:active){button.main{border-color:ButtonText}}`;

const SCRIPT = `
const { parameters, billing_address } = JSON.parse(document.getElementById('order').textContent);
const form = document.querySelector('form');
const wrong = document.querySelector('.wrong');
document.documentElement.style.colorScheme = location.hash === '#dark' ? 'dark' : 'light';
let port;
let busy = false;
const send = (message) => port?.postMessage(message);
addEventListener('message', ({ source, ports }) => {
  if (source !== parent || ports.length !== 1 || port) return;
  [port] = ports;
  form.querySelector('input:checked').focus();
});
async function pay() {
  const { value: card, dataset: { kind } } = form.querySelector('input:checked');
  const response = await fetch(location.pathname.replace(/\\/sheet$/, ''), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...parameters, amount: Number(parameters.amount), card, kind }),
  });
  if (!response.ok) throw new Error(String(response.status));
  const { token } = await response.json();
  send({ t: 'paid', token, billing_address });
}
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  if (busy) return;
  busy = true;
  wrong.textContent = '';
  try {
    await pay();
  } catch {
    wrong.textContent = 'The sandbox could not create a token. Try again.';
    busy = false;
  }
});
document.getElementById('cancel').addEventListener('click', () => send({ t: 'cancel' }));
addEventListener('keydown', ({ key }) => { if (key === 'Escape') send({ t: 'cancel' }); });
parent.postMessage('${WALLET_SHEET_HELLO}', '*');
`;

const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * Any page may frame the sheet, including pages with cross-origin isolation: its tokens are worthless outside the
 * sandbox.
 */
const HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    `style-src ${hashOf(STYLE)}`,
    `script-src ${hashOf(SCRIPT)}`,
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; '),
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;
