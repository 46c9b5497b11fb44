import { escapeHtml } from '@florin/contract/html.ts';
import { amountText } from '@florin/contract/money.ts';
import { CHALLENGE_CODE, type Challenge } from '../threeds/challenges.ts';
import { type BankPage, createBankPage, hiddenInputs } from './html.ts';

/** Fields that the browser sends from each page to the next. */
export interface CarriedFields {
  readonly acsTransID: string;
  readonly threeDSSessionData: string;
}

const OOB_APPROVAL_MS = 5_000;
const SPAM_MESSAGES = 2_000;

const renderPurchase = ({ subject: { amount, currency, number } }: Challenge): string =>
  `<p>${escapeHtml(amountText(String(amount), currency))}, card ending in ${number.slice(-4)}</p>`;

const renderForm = (page: string, carriedFields: CarriedFields, body: string): string =>
  `<form method="post" action="/challenge/${page}/answer">${hiddenInputs({ ...carriedFields })}${body}</form>`;

/** Page that asks the cardholder for the code. Shows `attemptsLeft` after a wrong code. */
export function createCodePage(
  challenge: Challenge,
  carriedFields: CarriedFields,
  attemptsLeft?: number,
): BankPage {
  const errorNote =
    attemptsLeft === undefined
      ? ''
      : `<p class="wrong" role="alert">Incorrect code. Attempts left: ${attemptsLeft}.</p>`;
  const body = `<h1>Confirm your payment</h1>${renderPurchase(challenge)}${errorNote}
<label for="code">Code from your bank</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code">
<p class="small">In the sandbox the code is ${CHALLENGE_CODE}.</p>
<button class="main" name="action" value="code">Confirm</button><button name="action" value="cancel">Cancel</button>`;
  return createBankPage('Confirm your payment', renderForm(challenge.page, carriedFields, body));
}

/** Page that waits for an approval on another device, such as in a banking app. */
export const createOobPage = (
  challenge: Challenge,
  carriedFields: CarriedFields,
  pace: number,
): BankPage =>
  createBankPage(
    'Confirm in your app',
    renderForm(
      challenge.page,
      carriedFields,
      `<h1>Confirm in your banking app</h1>${renderPurchase(challenge)}
<p>The sandbox confirms automatically in a few seconds.</p>
<input type="hidden" name="action" value="approve">`,
    ),
    `setTimeout(() => document.forms[0].submit(), ${OOB_APPROVAL_MS * pace})`,
  );

export const createHangingPage = (): BankPage =>
  createBankPage(
    'Please wait',
    '<h1>Please wait</h1><p>This page does not continue automatically.</p>',
  );

/** Page that tries every action forbidden to a bank's page, then asks for the code. */
export function createHostilePage(challenge: Challenge, carriedFields: CarriedFields): BankPage {
  const page = createCodePage(challenge, carriedFields);
  return {
    ...page,
    html: page.html.replace('</body>', `<script>${HOSTILE_SCRIPT}</script></body>`),
  };
}

const HOSTILE_SCRIPT = `
const attempt = (work) => { try { work(); } catch {} };
const elsewhere = location.origin + '/taken-over';
attempt(() => { top.location = elsewhere; });
attempt(() => { parent.location = elsewhere; });
attempt(() => { open(elsewhere); });
attempt(() => { alert('Give me your card'); });
attempt(() => { const a = document.createElement('a'); a.href = elsewhere; a.target = '_top'; a.click(); });
attempt(() => { const a = document.createElement('a'); a.href = elsewhere; a.download = 'x'; a.click(); });
attempt(() => { top.history.back(); });
for (let i = 0; i < ${SPAM_MESSAGES}; i++) {
  for (const target of [parent, top]) {
    target.postMessage('florin:hello', '*');
    target.postMessage({ t: 'result', id: 1, name: 'payment_method_verified', detail: {} }, '*');
    target.postMessage({ t: 'event', name: 'payment_approved', detail: {} }, '*');
  }
}
document.body.dataset.tried = '';`;
