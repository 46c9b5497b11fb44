/** A language of the form with its texts. */
export interface FormLocale {
  /** Language tag (BCP 47). */
  readonly tag: string;
  readonly texts: Readonly<Record<string, string>>;
}

/** Languages by lower-case tag; always includes `en`. */
export type FormLocales = ReadonlyMap<string, FormLocale>;

const FALLBACK = 'en';
/** Tags that use another language's texts. */
const ALIASES: Readonly<Record<string, string>> = { no: 'nb', nn: 'nb' };

/**
 * The first available language of the page's tag and then of `Accept-Language` (RFC 9110, 12.5.4). Weights
 * are ignored, because browsers already sort by weight. A region without texts of its own falls back to its
 * language.
 */
export function pickLocale(
  locales: FormLocales,
  requestedTag: string,
  acceptLanguage: string,
): FormLocale {
  const tags = [
    requestedTag,
    ...acceptLanguage.split(',').map((range) => range.split(';')[0] ?? ''),
  ];
  for (const tag of tags.map((text) => text.trim().toLowerCase().replaceAll('_', '-'))) {
    const locale = locales.get(tag) ?? locales.get(languageOf(tag));
    if (locale) return locale;
  }
  const fallback = locales.get(FALLBACK);
  if (!fallback) throw new Error('The English texts of the payment form are missing.');
  return fallback;
}

function languageOf(tag: string): string {
  const [language = ''] = tag.split('-');
  return ALIASES[language] ?? language;
}
