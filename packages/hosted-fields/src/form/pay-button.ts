import type { Texts } from '../texts.ts';
import { element } from './element.ts';
import { watchVisibility } from './visibility.ts';

export type PayState = 'open' | 'paying' | 'paid';

export interface PayButton {
  readonly root: HTMLElement;
  show(state: PayState): void;
}

export interface PayButtonOptions {
  readonly text: Texts;
  /** What is paid, as people write it. */
  readonly amount: string;
  readonly onCovered: () => void;
}

/**
 * The form's own pay button. A press by pointer submits the form only where the cardholder can have seen what is under
 * it; one by keyboard (which counts no clicks) comes from somebody who is in the form already.
 */
export function createPayButton({ text, amount, onCovered }: PayButtonOptions): PayButton {
  const root = element('button', { type: 'submit', class: 'pay' });
  const isSeen = watchVisibility(root);
  root.addEventListener('click', (event) => {
    if (root.getAttribute('aria-disabled') === 'true') event.preventDefault();
    else if (event.detail > 0 && !isSeen()) {
      event.preventDefault();
      onCovered();
    }
  });
  const button: PayButton = {
    root,
    show(state) {
      root.textContent = state === 'open' ? text('pay', { amount }) : text(state);
      // Not `disabled`, which would take the focus away.
      root.setAttribute('aria-disabled', String(state !== 'open'));
    },
  };
  button.show('open');
  return button;
}
