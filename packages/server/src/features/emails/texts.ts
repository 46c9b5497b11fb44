import type { CommonTextName } from '@florin/contract/common-texts.ts';
import { type Texts as AnyTexts, textsIn } from '../../platform/texts/texts.ts';

type OwnTextName = keyof typeof import('./locales/en.json', { with: { type: 'json' }});

/** Names of the texts. All languages have the same names. */
export type TextName = OwnTextName | CommonTextName;

/** Texts of emails in one language. */
export type Texts = AnyTexts<TextName>;

export const textsOf = textsIn<OwnTextName>(new URL('locales/', import.meta.url));
