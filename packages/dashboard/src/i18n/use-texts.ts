import { createContext, use, useMemo } from 'react';
import { fillIn, numberFormat, pluralKey, type Variables } from './format-text.ts';
import { chooseLanguage, type Language } from './languages.ts';
import { loadTexts, type Namespace, type Namespaces, type Texts } from './texts.ts';

export interface LanguageChoice {
  readonly language: Language;
  choose(language: Language): void;
}

export const LanguageContext = createContext<LanguageChoice>({ language: 'en', choose() {} });

/** Returns the page's language. */
export const useLanguage = (): LanguageChoice => use(LanguageContext);

/** Returns the locale for amounts and times: the person's own region if the page shows its language. */
export function useLocale(): string {
  const { language } = useLanguage();
  return (
    navigator.languages.find(
      (tag) => chooseLanguage([tag]) === language && tag.startsWith(language),
    ) ?? language
  );
}

type PluralStem<K> = K extends `${infer Stem}_other` ? Stem : never;

export interface Translate<N extends Namespace> {
  /** Returns the text of a key with its `{variables}` filled in. */
  (key: keyof Namespaces[N] & string, variables?: Variables): string;
  /** Returns the plural form `<key>_one` or `<key>_other`. `{count}` is replaced by the number. */
  count(
    key: PluralStem<keyof Namespaces[N] & string>,
    count: number,
    variables?: Variables,
  ): string;
  /** Returns the text of a key that is known only at run time, or undefined. */
  find(key: string): string | undefined;
}

/** Returns a set of texts in the person's language; suspends until the texts are loaded. */
export function useTexts<N extends Namespace>(namespace: N): Translate<N> {
  const { language } = useLanguage();
  const texts = use(loadTexts(language, namespace));
  return useMemo(() => translator(language, texts), [language, texts]);
}

function translator<N extends Namespace>(language: Language, texts: Texts): Translate<N> {
  const translate = (key: string, variables?: Variables) => fillIn(texts[key] ?? key, variables);
  return Object.assign(translate, {
    count: (key: string, count: number, variables: Variables = {}) => {
      const form = pluralKey(language, key, count);
      const text = texts[form] ?? texts[`${key}_other`] ?? key;
      return fillIn(text, { count: numberFormat(language).format(count), ...variables });
    },
    find: (key: string) => texts[key],
  });
}
