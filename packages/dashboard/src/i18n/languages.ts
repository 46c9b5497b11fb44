/** The languages of the application, by their tags; each is a folder beside this file. */
export const languages = ['en', 'de', 'fr', 'es'] as const;
export type Language = (typeof languages)[number];

/** What each calls itself. */
export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
};

const KEPT_AS = 'florin.language';

/** Keeps the language that the person has chosen, in this browser. */
export const keepLanguage = (language: Language): void => localStorage.setItem(KEPT_AS, language);

/** The language that was chosen in this browser, or else that of the browser. */
export const firstLanguage = (): Language =>
  chooseLanguage([localStorage.getItem(KEPT_AS) ?? '', ...navigator.languages]);

/** The first language that somebody wants and that there is; English for all others. */
export function chooseLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const base = tag.toLowerCase().split('-')[0];
    const found = languages.find((language) => language === base);
    if (found) return found;
  }
  return 'en';
}
