import type { Locale } from '@florin/contract/locales.ts';
import type { Brand } from './brand.ts';

/** A label and what it stands before. */
export interface Line {
  readonly label: string;
  readonly value: string;
  /** The line that matters most. */
  readonly strong?: true;
}

/** A letter before it has a form: the same of its page and its plain text. */
export interface Parts {
  readonly locale: Locale;
  readonly brand: Brand;
  readonly subject: string;
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly lines: readonly Line[];
  readonly button?: { readonly label: string; readonly url: string };
  readonly notes: readonly string[];
}

/** What is sent. */
export interface Draft {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}
