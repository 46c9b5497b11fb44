import type { Locale } from '@florin/contract/locales.ts';
import type { EmailKind } from '@florin/contract/resources/emails.ts';
import type { Brand } from '../../platform/emails/brand.ts';
import type { Facts } from './facts.ts';

/** Content from which an email is rendered. */
export interface EmailInput {
  readonly kind: EmailKind;
  readonly mode: 'live' | 'sandbox';
  readonly locale: Locale;
  readonly facts: Facts;
  readonly brand: Brand;
  /** The charged card, or the card of the next charge. */
  readonly card?: { readonly kind: string; readonly last_four: string };
}
