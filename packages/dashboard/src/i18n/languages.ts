/** Tags of the dashboard's languages; each has a folder beside this file. */
export const languages = ['en', 'de', 'fr', 'es'] as const;
export type Language = (typeof languages)[number];

/** Name of each language in that language. */
export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
};

const STORAGE_KEY = 'florin.language';

/** Stores the chosen language in this browser. */
export const storeLanguage = (language: Language): void =>
  localStorage.setItem(STORAGE_KEY, language);

/** The language stored in this browser, or the browser's own. */
export const firstLanguage = (): Language =>
  chooseLanguage([localStorage.getItem(STORAGE_KEY) ?? '', ...navigator.languages]);

/** Returns the first wanted language that the dashboard has, or English. */
export function chooseLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const base = tag.toLowerCase().split('-')[0];
    const language = languages.find((tag) => tag === base);
    if (language) return language;
  }
  return 'en';
}
