/** BCP 47 tags of the languages of customer pages and emails. */
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

/** Writing direction of a language tag with or without a region: `ar-EG` is right to left. */
export const directionOf = (tag: string): 'rtl' | 'ltr' =>
  RIGHT_TO_LEFT.has(tag.split('-')[0] ?? '') ? 'rtl' : 'ltr';
