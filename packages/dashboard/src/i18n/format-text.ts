/** What stands for `{name}` in a text. */
export type Variables = Readonly<Record<string, string | number>>;

/** A text with its variables filled in; one that is not given stays as it is written. */
export const fillIn = (text: string, variables: Variables = {}): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(variables[name] ?? whole));

/** The form of a text for a number: `days_one` or `days_other`, as the language has them. */
export function pluralKey(language: string, key: string, count: number): string {
  return `${key}_${pluralRules(language).select(count)}`;
}

/** One for each language: to make one takes longer than to ask it a thousand times. */
function oneEach<Tool>(make: (language: string) => Tool): (language: string) => Tool {
  const made = new Map<string, Tool>();
  return (language) => {
    const tool = made.get(language) ?? make(language);
    made.set(language, tool);
    return tool;
  };
}

const pluralRules = oneEach((language) => new Intl.PluralRules(language));
/** How whole numbers are written in a language. */
export const numberFormat = oneEach((language) => new Intl.NumberFormat(language));

/** `payment_demands` → `Payment demands`: what stands for a name that has no text. */
export function humanise(name: string): string {
  const words = name.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
