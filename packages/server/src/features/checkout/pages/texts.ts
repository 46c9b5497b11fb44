import type { CommonTextName } from '@florin/contract/common-texts.ts';

/** Names of the texts. All languages have the same names. */
export type TextName =
  | keyof typeof import('./locales/en.json', { with: { type: 'json' }})
  | CommonTextName;

/** Returns a text of link pages in one language. `values` fill the placeholders in braces. */
export type Texts = (name: TextName, values?: Readonly<Record<string, string>>) => string;
