import type { Locale } from '@florin/contract/locales.ts';
import type { LetterKind } from '@florin/contract/resources/letters.ts';
import type { Brand } from '../../platform/emails/brand.ts';
import type { Facts } from './facts.ts';

/** What a letter is written from. */
export interface Occasion {
  readonly kind: LetterKind;
  readonly mode: 'live' | 'sandbox';
  readonly locale: Locale;
  readonly facts: Facts;
  readonly brand: Brand;
  /** Of the card that was charged, or is to be. */
  readonly card?: { readonly kind: string; readonly last_four: string };
}
