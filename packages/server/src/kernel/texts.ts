import { readFileSync } from 'node:fs';
import type { Locale } from '@florin/contract/locales.ts';

/** What is said in one language. `values` fill the places in braces. */
export type Texts<Name extends string> = (
  name: Name,
  values?: Readonly<Record<string, string>>,
) => string;

/** The texts of a folder with one file a language, each read when it is first wanted. All files have the same names. */
export function textsIn<Name extends string>(folder: URL): (locale: Locale) => Texts<Name> {
  const known = new Map<Locale, Texts<Name>>();
  const read = (locale: Locale): Readonly<Record<Name, string>> =>
    JSON.parse(readFileSync(new URL(`${locale}.json`, folder), 'utf8'));
  return (locale) => {
    const texts = known.get(locale) ?? createTexts(read(locale));
    known.set(locale, texts);
    return texts;
  };
}

const createTexts =
  <Name extends string>(texts: Readonly<Record<Name, string>>): Texts<Name> =>
  (name, values = {}) =>
    texts[name].replace(/\{(\w+)\}/g, (_, place: string) => values[place] ?? '');
