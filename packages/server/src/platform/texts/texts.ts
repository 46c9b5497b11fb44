import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { CommonTextName } from '@florin/contract/common-texts.ts';
import type { Locale } from '@florin/contract/locales.ts';

/** Looks up a text in one language. `values` replace the placeholders in braces. */
export type Texts<Name extends string> = (
  name: Name,
  values?: Readonly<Record<string, string>>,
) => string;

const COMMON = new URL('common-texts/', import.meta.url);

/**
 * Texts of a folder plus the common texts. The folder has one file per language with the same names; each is
 * read on first use.
 */
export function textsIn<Name extends string>(
  folder: URL,
): (locale: Locale) => Texts<Name | CommonTextName> {
  const textsByLocale = new Map<Locale, Texts<Name | CommonTextName>>();
  return (locale) => {
    const texts = textsByLocale.get(locale) ?? createTexts(readTexts(folder, locale));
    textsByLocale.set(locale, texts);
    return texts;
  };
}

/** All texts of a folder plus the common texts, by language tag. */
export const allTextsIn = (folder: URL): ReadonlyMap<string, Readonly<Record<string, string>>> =>
  new Map(
    readdirSync(folder).map((name) => {
      const tag = basename(name, '.json');
      return [tag, readTexts(folder, tag)];
    }),
  );

const readTexts = (folder: URL, tag: string): Readonly<Record<string, string>> => ({
  ...readFile(COMMON, tag),
  ...readFile(folder, tag),
});

const readFile = (folder: URL, tag: string): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(new URL(`${tag}.json`, folder), 'utf8'));

const createTexts =
  (texts: Readonly<Record<string, string>>): Texts<string> =>
  (name, values = {}) =>
    (texts[name] ?? '').replace(/\{(\w+)\}/g, (_, variable: string) => values[variable] ?? '');
