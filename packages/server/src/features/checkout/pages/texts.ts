import type { CommonTextName } from '@florin/contract/common-texts.ts';

/** Names of the texts, of which every language has the same. */
export type TextName =
  | keyof typeof import('./locales/en.json', { with: { type: 'json' }})
  | CommonTextName;

/** What the pages of links say, in one language. `values` fill the places in braces. */
export type Texts = (name: TextName, values?: Readonly<Record<string, string>>) => string;
