import { amountText } from '@florin/contract/money.ts';
import { SCHEME_PARAMETER } from '@florin/contract/protocol/frame.ts';
import { readConfig } from './config.ts';
import { element } from './form/element.ts';
import { createPaymentForm } from './payment/payment-form.ts';

/** Dresses the form like the page around it; without a hint it follows the system. */
function adoptScheme(): void {
  const scheme = new URLSearchParams(location.search).get(SCHEME_PARAMETER);
  if (scheme === 'light' || scheme === 'dark') document.documentElement.style.colorScheme = scheme;
}

function start(): void {
  adoptScheme();
  const config = readConfig();
  const form = createPaymentForm(config);
  const title = `Pay ${amountText(config.amount, config.currency)} by card`;
  const main = element('main', {}, element('h1', { class: 'unseen' }, title), form.root);
  if (config.mode === 'sandbox') {
    main.append(element('p', { class: 'mode' }, 'Test mode: no money moves.'));
  }
  document.body.append(main);
  form.connect((tellHeight) => {
    new ResizeObserver(() => tellHeight(main.getBoundingClientRect().height)).observe(main);
  });
}

// A page that comes back from the back/forward cache would still hold the card.
// A form that comes back from the back/forward cache must not send the card it went with.
window.addEventListener('pagehide', () => document.querySelector('form')?.reset());
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});

start();
