import { createContext, use, useMemo } from 'react';
import { fillIn, numberFormat, pluralKey, type Variables } from './format-text.ts';
import { chooseLanguage, type Language } from './languages.ts';
import { loadTexts, type Namespace, type Namespaces, type Texts } from './texts.ts';

export interface LanguageChoice {
  readonly language: Language;
  choose(language: Language): void;
}

export const LanguageContext = createContext<LanguageChoice>({ language: 'en', choose() {} });

/** The language of the page. Amounts and times are written as people write them who read it. */
export const useLanguage = (): LanguageChoice => use(LanguageContext);

/** The tag for amounts and times: the person's own region where it is of the language that is shown. */
export function useLocale(): string {
  const { language } = useLanguage();
  return (
    navigator.languages.find(
      (tag) => chooseLanguage([tag]) === language && tag.startsWith(language),
    ) ?? language
  );
}

type Counted<K> = K extends `${infer Stem}_other` ? Stem : never;

export interface Translate<N extends Namespace> {
  /** The text of a key, its `{variables}` filled in. */
  (key: keyof Namespaces[N] & string, variables?: Variables): string;
  /** The text for a number: `<key>_one`, `<key>_other`; `{count}` is the number. */
  count(key: Counted<keyof Namespaces[N] & string>, count: number, variables?: Variables): string;
  /** The text of a key that is only known at run time, if there is one. */
  find(key: string): string | undefined;
}

/** The texts of a folder of pages in the person's language; the component waits for them. */
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
