import type { Texts } from '../texts.ts';
import { element } from './element.ts';
import { guardPresses, type Refusal } from './press.ts';

export type PayState = 'open' | 'paying' | 'paid';

export interface PayButton {
  readonly root: HTMLElement;
  show(state: PayState): void;
}

export interface PayButtonOptions {
  readonly text: Texts;
  /** Formatted amount. */
  readonly amount: string;
  readonly onRefused: (why: Refusal) => void;
}

/** Creates the form's own pay button, which submits the form. */
export function createPayButton({ text, amount, onRefused }: PayButtonOptions): PayButton {
  const root = element('button', { type: 'submit', class: 'pay' });
  guardPresses(root, onRefused);
  const button: PayButton = {
    root,
    show(state) {
      root.dataset.state = state;
      root.textContent = state === 'open' ? text('pay', { amount }) : text(state);
      // `aria-disabled` instead of `disabled`, which would remove the focus.
      root.setAttribute('aria-disabled', String(state !== 'open'));
    },
  };
  button.show('open');
  return button;
}
