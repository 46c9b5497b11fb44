import { amountText } from '@florin/contract/money.ts';
import { applyAppearance } from './appearance.ts';
import { readConfig } from './config.ts';
import { element } from './form/element.ts';
import type { Embed } from './form/embedded.ts';
import { readOptions } from './options.ts';
import { PaymentForm } from './payment/payment-form.ts';
import { createTexts } from './texts.ts';

/** Makes the form of its document; `embed` adds what an embedded one has beside the card. */
export function start(embed?: Embed): void {
  forgetOnLeave();
  const config = readConfig();
  const options = readOptions(location.hash);
  const text = createTexts(config.texts);
  const { style } = document.documentElement;
  style.colorScheme = options.scheme;
  applyAppearance(style, options.appearance ?? {});
  const form = new PaymentForm({ config, text, embed });
  const amount = amountText(config.amount, config.currency, config.locale);
  const heading = element('h1', { class: 'unseen' }, text('heading', { amount }));
  const main = element('main', {}, heading, form.root);
  if (config.mode === 'sandbox') main.append(element('p', { class: 'mode' }, text('test_mode')));
  document.body.append(main);
  form.connect((tellHeight) => {
    new ResizeObserver(() => tellHeight(main.getBoundingClientRect().height)).observe(main);
  });
}

/** A form that comes back from the back/forward cache must not show or send the card it went with. */
function forgetOnLeave(): void {
  window.addEventListener('pagehide', () => document.querySelector('form')?.reset());
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload();
  });
}
