/** One language of the form. */
export interface FormLocale {
  /** BCP 47. */
  readonly tag: string;
  readonly texts: Readonly<Record<string, string>>;
}

/** By their tags in lower case; `en` is among them. */
export type FormLocales = ReadonlyMap<string, FormLocale>;

const FALLBACK = 'en';
/** Languages that are read as another one that we have. */
const ALIASES: Readonly<Record<string, string>> = { no: 'nb', nn: 'nb' };

/**
 * The first language we have of what the page wants and what the browser accepts (RFC 9110, 12.5.4; its order
 * counts, its weights do not: browsers send them sorted). A region that we do not have is left off.
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
