import type { CommonTextName } from '@florin/contract/common-texts.ts';
import { type Texts as AnyTexts, textsIn } from '../../platform/texts/texts.ts';

type OwnTextName = keyof typeof import('./locales/en.json', { with: { type: 'json' }});

/** Texts of documents in one language. */
export type Texts = AnyTexts<OwnTextName | CommonTextName>;

export const documentTextsOf = textsIn<OwnTextName>(new URL('locales/', import.meta.url));
