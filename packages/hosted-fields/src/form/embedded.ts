import type { BillingAddress } from '@florin/contract/protocol/frame.ts';
import type { Texts } from '../texts.ts';
import { createAddressSection } from './address-section.ts';
import { createPayButton, type PayState } from './pay-button.ts';
import type { Refusal } from './press.ts';
import type { Section } from './section.ts';

export interface EmbedOptions {
  readonly text: Texts;
  readonly locale: string;
  /** Formatted amount. */
  readonly amount: string;
  readonly onEdit: () => void;
  readonly announce: (text: string) => void;
}

/** Additional parts of an embedded form. */
export interface EmbeddedParts {
  readonly section: Section;
  readonly button: HTMLElement;
  readonly address: () => BillingAddress;
  /** Marks and focuses a field of the address. */
  refuse(name: keyof BillingAddress): void;
  /** Sets the state of the pay button. */
  show(state: PayState): void;
}

export type Embed = (options: EmbedOptions) => EmbeddedParts;

/** Creates billing address and pay button. */
export const embed: Embed = ({ text, locale, amount, onEdit, announce }) => {
  const { address, refuse, ...section } = createAddressSection({ text, locale, onEdit });
  const onRefused = (why: Refusal): void => announce(text(why));
  const button = createPayButton({ text, amount, onRefused });
  return {
    section,
    address,
    refuse,
    button: button.root,
    show: button.show,
  };
};
