/** Values for the `{name}` placeholders of a text. */
export type Variables = Readonly<Record<string, string | number>>;

/** Replaces placeholders. Placeholders without a value stay in the text. */
export const fillIn = (text: string, variables: Variables = {}): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(variables[name] ?? whole));

/** Returns the key of a text's plural form in the language: `days_one` or `days_other`. */
export function pluralKey(language: string, key: string, count: number): string {
  return `${key}_${pluralRules(language).select(count)}`;
}

/** Caches one formatter per language, because creating a formatter is slow. */
function oneEach<Tool>(make: (language: string) => Tool): (language: string) => Tool {
  const tools = new Map<string, Tool>();
  return (language) => {
    const tool = tools.get(language) ?? make(language);
    tools.set(language, tool);
    return tool;
  };
}

const pluralRules = oneEach((language) => new Intl.PluralRules(language));
/** Formats whole numbers in a language. */
export const numberFormat = oneEach((language) => new Intl.NumberFormat(language));

/** `payment_demands` → `Payment demands`: the fallback for a name without a text. */
export function humanise(name: string): string {
  const words = name.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const KILOBYTE = 1_000;
const MEGABYTE = 1_000_000;

/** Size of a file in kilobytes or megabytes. */
export const sizeText = (bytes: number, locale: string): string =>
  bytes < MEGABYTE
    ? unitText(bytes / KILOBYTE, 'kilobyte', locale)
    : unitText(bytes / MEGABYTE, 'megabyte', locale);

/** A number with its unit, such as `2.5 s`. */
export const unitText = (count: number, unit: string, locale: string): string =>
  new Intl.NumberFormat(locale, { style: 'unit', unit, maximumFractionDigits: 1 }).format(count);
