import type { Locale } from '@florin/contract/locales.ts';
import type { Brand } from './brand.ts';

/** A table row of an email: label and value. */
export interface Line {
  readonly label: string;
  readonly value: string;
  /** Whether this is the most important line. */
  readonly strong?: true;
}

/** Content of an email, before it becomes HTML and plain text. */
export interface EmailContent {
  readonly locale: Locale;
  readonly brand: Brand;
  readonly subject: string;
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly lines: readonly Line[];
  readonly button?: { readonly label: string; readonly url: string };
  readonly notes: readonly string[];
}

/** The rendered email. */
export interface Draft {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}
