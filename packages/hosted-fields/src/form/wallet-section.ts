import type { WalletName } from '@florin/contract/protocol/frame.ts';
import type { Texts } from '../texts.ts';
import { element } from './element.ts';
import type { PayState } from './pay-button.ts';
import { guardPresses, type Refusal } from './press.ts';
import type { Section } from './section.ts';

/** Brand names, the same in every language. */
export const walletTitles: Readonly<Record<WalletName, string>> = {
  apple_pay: 'Apple Pay',
  google_pay: 'Google Pay',
};

/** The wallets' buttons above the card fields. The section has no inputs. */
export interface WalletSection extends Section {
  show(state: PayState): void;
}

export interface WalletSectionOptions {
  readonly text: Texts;
  /** Wallets in the order of their buttons. */
  readonly wallets: readonly WalletName[];
  readonly onPress: (wallet: WalletName) => void;
  readonly onRefused: (why: Refusal) => void;
}

export function createWalletSection(options: WalletSectionOptions): WalletSection {
  const { text, wallets } = options;
  const buttons = wallets.map((wallet) => createButton(options, wallet));
  let locked = false;
  let open = true;
  // `aria-disabled` instead of `disabled`, which would remove the focus.
  const update = (): void => {
    for (const button of buttons) button.setAttribute('aria-disabled', String(locked || !open));
  };
  return {
    root: element(
      'div',
      { class: 'wallets' },
      ...buttons,
      element('p', { class: 'or' }, element('span', {}, text('or_card'))),
    ),
    ready: () => true,
    showProblems: () => undefined,
    lock(on) {
      locked = on;
      update();
    },
    show(state) {
      open = state === 'open';
      update();
    },
  };
}

function createButton(
  { text, onPress, onRefused }: WalletSectionOptions,
  wallet: WalletName,
): HTMLElement {
  const label = text('wallet_pay', { wallet: walletTitles[wallet] });
  const button = element('button', { type: 'button', class: 'wallet' }, label);
  guardPresses(button, onRefused);
  button.addEventListener('click', () => onPress(wallet));
  return button;
}
