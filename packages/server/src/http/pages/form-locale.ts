/** One language of the form. */
export interface FormLocale {
  /** BCP 47. */
  readonly tag: string;
  readonly texts: Readonly<Record<string, string>>;
}

/** Languages by lower-case tag; `en` is among them. */
export type FormLocales = ReadonlyMap<string, FormLocale>;

const FALLBACK = 'en';
/** Tags that map to an available language. */
const ALIASES: Readonly<Record<string, string>> = { no: 'nb', nn: 'nb' };

/**
 * The first available language among those of the page and of `Accept-Language` (RFC 9110, 12.5.4;
 * only its order counts, since browsers sort by weight). An unavailable region is dropped.
 */
export function pickLocale(locales: FormLocales, wanted: string, accepted: string): FormLocale {
  const tags = [wanted, ...accepted.split(',').map((range) => range.split(';')[0] ?? '')];
  for (const tag of tags.map((text) => text.trim().toLowerCase().replaceAll('_', '-'))) {
    const found = locales.get(tag) ?? locales.get(languageOf(tag));
    if (found) return found;
  }
  const fallback = locales.get(FALLBACK);
  if (!fallback) throw new Error('The English texts of the payment form are missing.');
  return fallback;
}

function languageOf(tag: string): string {
  const [language = ''] = tag.split('-');
  return ALIASES[language] ?? language;
}
