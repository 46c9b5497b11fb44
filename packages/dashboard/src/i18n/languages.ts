/** Tags of the dashboard's languages; each has a folder beside this file. */
export const languages = ['en', 'de', 'fr', 'es'] as const;
export type Language = (typeof languages)[number];

/** Each language's own name. */
export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
};

const KEPT_AS = 'florin.language';

/** Stores the chosen language in this browser. */
export const keepLanguage = (language: Language): void => localStorage.setItem(KEPT_AS, language);

/** The language stored in this browser, or the browser's own. */
export const firstLanguage = (): Language =>
  chooseLanguage([localStorage.getItem(KEPT_AS) ?? '', ...navigator.languages]);

/** Returns the first wanted language that exists, or English. */
export function chooseLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const base = tag.toLowerCase().split('-')[0];
    const found = languages.find((language) => language === base);
    if (found) return found;
  }
  return 'en';
}
