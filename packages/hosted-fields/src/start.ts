import { applyAppearance } from './appearance.ts';
import { readConfig } from './config.ts';
import { element } from './form/element.ts';
import type { Embed } from './form/embedded.ts';
import { readOptions } from './options.ts';
import { PaymentForm } from './payment/payment-form.ts';
import type { Wallets } from './payment/wallets.ts';
import { createTexts } from './texts.ts';

/** Parts that only some forms load. */
export interface OptionalParts {
  readonly embed?: Embed;
  readonly wallets?: Wallets;
}

/** Starts the form of this document. */
export function start({ embed, wallets }: OptionalParts = {}): void {
  clearOnLeave();
  const config = readConfig();
  const options = readOptions(location.hash);
  if (options.debug) wallets?.warnOfMissing(options, config);
  const text = createTexts(config.texts);
  const { style } = document.documentElement;
  style.colorScheme = options.scheme;
  applyAppearance(style, options.appearance ?? {});
  const form = new PaymentForm({ config, text, embed, wallets });
  const heading = element(
    'h1',
    { class: 'unseen' },
    text('heading', { amount: config.amount_text }),
  );
  const main = element('main', {}, heading, form.root);
  if (config.mode === 'sandbox') main.append(element('p', { class: 'mode' }, text('test_mode')));
  document.body.append(main);
  form.connect((reportHeight) => {
    new ResizeObserver(() => reportHeight(main.getBoundingClientRect().height)).observe(main);
  });
}

/** A form restored from the back/forward cache must not show or send its earlier card. */
function clearOnLeave(): void {
  window.addEventListener('pagehide', () => document.querySelector('form')?.reset());
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload();
  });
}
