/** Languages that customers are spoken to in, by their BCP 47 tags: on hosted pages and in letters. */
export const locales = [
  'ar',
  'cs',
  'da',
  'de',
  'el',
  'en',
  'es',
  'fi',
  'fr',
  'hu',
  'it',
  'ja',
  'nb',
  'nl',
  'pl',
  'pt',
  'ro',
  'sv',
  'tr',
  'zh',
] as const;
export type Locale = (typeof locales)[number];

const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['ar', 'fa', 'he', 'ur']);

/** How a language is written, by its tag with or without a region: `ar-EG` from right to left. */
export const directionOf = (tag: string): 'rtl' | 'ltr' =>
  RIGHT_TO_LEFT.has(tag.split('-')[0] ?? '') ? 'rtl' : 'ltr';
