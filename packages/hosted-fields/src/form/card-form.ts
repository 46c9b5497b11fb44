import type { CardBrand } from '@florin/contract/card/networks.ts';
import type { BillingAddress } from '@florin/contract/protocol/frame.ts';
import type { Texts } from '../texts.ts';
import { createCardSection } from './card-section.ts';
import type { CardEntry } from './checks.ts';
import { element } from './element.ts';
import type { EmbeddedParts, EmbedOptions } from './embedded.ts';
import type { PayState } from './pay-button.ts';
import type { Refusal } from './press.ts';
import type { WalletSection } from './wallet-section.ts';

export interface CardForm {
  readonly root: HTMLFormElement;
  readonly entry: () => CardEntry;
  readonly brand: () => CardBrand;
  readonly ready: () => boolean;
  /** Returns undefined if the form has no address fields. */
  readonly address: () => BillingAddress | undefined;
  /**
   * Returns a complete entry. If the entry is incomplete, shows every problem, focuses the first, and returns
   * undefined.
   */
  submit(): CardEntry | undefined;
  /** Shows a message that belongs to no single field. An empty text removes the message. */
  announce(text: string): void;
  /** Blocks input while busy. The focused field keeps the focus. */
  busy(on: boolean): void;
  clearCvv(): void;
  /** Marks and focuses the field of the address that the server refused. */
  refuseAddress(name: keyof BillingAddress): void;
  /** Sets the state of the pay button, if the form has its own. */
  payment(state: PayState): void;
}

export interface CardFormOptions {
  readonly text: Texts;
  readonly now: () => Date;
  readonly onEdit: () => void;
  /** Creates the additional parts of an embedded form. */
  readonly embed: ((on: Pick<EmbedOptions, 'onEdit' | 'announce'>) => EmbeddedParts) | undefined;
  /** Creates the wallets' buttons; undefined if the form has none. */
  readonly wallets: (onRefused: (why: Refusal) => void) => WalletSection | undefined;
  /** Called when the form's own pay button is pressed. */
  readonly onPay: () => void;
  /** Called for Enter in a card field, if the form has no button of its own. */
  readonly onEnter: () => void;
}

/** Creates one form with card fields and embedded parts, so that browsers can fill all of them. */
export function createCardForm({
  text,
  now,
  onEdit,
  embed,
  wallets: makeWallets,
  onPay,
  onEnter,
}: CardFormOptions): CardForm {
  const notice = element('p', { class: 'notice', role: 'alert' });
  const announce = (message: string): void => {
    notice.textContent = message;
  };
  const edited = (): void => {
    announce('');
    onEdit();
  };
  const card = createCardSection({ text, now, onEdit: edited });
  const embedded = embed?.({ onEdit: edited, announce });
  const wallets = makeWallets((why) => announce(text(why)));
  const sections = [wallets, card, embedded?.section].filter((section) => section !== undefined);
  const root = element(
    'form',
    { novalidate: '' },
    ...sections.map((section) => section.root),
    notice,
  );
  if (embedded) root.append(embedded.button);
  // Browsers submit no form of several fields without a button.
  else card.root.addEventListener('keydown', ({ key }) => key === 'Enter' && onEnter());
  root.addEventListener('submit', (event) => {
    event.preventDefault();
    onPay();
  });
  return {
    root,
    entry: card.entry,
    brand: card.brand,
    ready: () => sections.every((section) => section.ready()),
    address: () => embedded?.address(),
    submit() {
      const [first] = sections.map((section) => section.showProblems()).filter(Boolean);
      first?.focus();
      return first ? undefined : card.entry();
    },
    announce,
    busy(on) {
      for (const section of sections) section.lock(on);
      root.setAttribute('aria-busy', String(on));
    },
    clearCvv: card.clearCvv,
    refuseAddress: (name) => embedded?.refuse(name),
    payment(state) {
      if (!embedded) return;
      // Only the embedded form has a pay button. For other forms, the merchant's page shows the state.
      embedded.show(state);
      wallets?.show(state);
    },
  };
}
