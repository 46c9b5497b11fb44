import { type Texts as AnyTexts, textsIn } from '../../kernel/texts.ts';

/** Names of the texts, of which every language has the same. */
export type TextName = keyof typeof import('./locales/en.json', { with: { type: 'json' }});

/** What letters say, in one language. */
export type Texts = AnyTexts<TextName>;

export const textsOf = textsIn<TextName>(new URL('locales/', import.meta.url));
