import { type Locale, locales } from '@florin/contract/locales.ts';
import type { FormLocale } from '../../../http/pages/form-locale.ts';
import { textsIn } from '../../../platform/texts/texts.ts';
import type { TextName, Texts } from './texts.ts';

/** Language of a page with its texts. */
export interface Language {
  /** Language tag (BCP 47). */
  readonly tag: string;
  readonly text: Texts;
}

/** The form's language if our other pages have it, else English. */
export const supportedLocale = ({ tag }: Pick<FormLocale, 'tag'>): Locale =>
  locales.find((locale) => locale === tag) ?? 'en';

const textsOf = textsIn<TextName>(new URL('./locales/', import.meta.url));

export const languageOf = (tag: Locale): Language => ({ tag, text: textsOf(tag) });
