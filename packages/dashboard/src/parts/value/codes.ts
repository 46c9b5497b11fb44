import { alpha2Codes, alpha3Codes } from '@florin/contract/countries.ts';
import { currencyNumbers } from '@florin/contract/currencies.ts';

/** Field types whose values are codes that few people know by heart. */
export const codeTypes = ['country', 'currency', 'timezone'] as const;
export type CodeType = (typeof codeTypes)[number];

export const isCodeType = (type: string): type is CodeType =>
  (codeTypes as readonly string[]).includes(type);

/** A code with its localised name. */
export interface CodeChoice {
  /** Code as in the interface: ISO 3166-1 alpha-3, ISO 4217, or a zone of the IANA database. */
  readonly value: string;
  readonly label: string;
  /** Another spelling that people type. */
  readonly alias?: string;
}

const makers: Readonly<Record<CodeType, (locale: string) => CodeChoice[]>> = {
  country: (locale) => {
    const names = new Intl.DisplayNames(locale, { type: 'region' });
    return alpha2Codes.map((alias, at) => ({
      value: alpha3Codes[at] ?? alias,
      label: names.of(alias) ?? alias,
      alias,
    }));
  },
  currency: (locale) => {
    const names = new Intl.DisplayNames(locale, { type: 'currency' });
    return [...currencyNumbers.keys()].map((value) => ({
      value,
      label: `${value} – ${names.of(value) ?? value}`,
    }));
  },
  timezone: () =>
    [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])].map((value) => ({
      value,
      label: value.replaceAll('_', ' '),
    })),
};

const choicesByKey = new Map<string, readonly CodeChoice[]>();

/** Returns all codes of a type, sorted by name. */
export function codesOf(type: CodeType, locale: string): readonly CodeChoice[] {
  const key = `${type} ${locale}`;
  const cachedChoices = choicesByKey.get(key);
  if (cachedChoices) return cachedChoices;
  const { compare } = new Intl.Collator(locale);
  const sorted = makers[type](locale).toSorted((a, b) => compare(a.label, b.label));
  choicesByKey.set(key, sorted);
  return sorted;
}

/** Returns the name of a code, or the code itself if unknown. */
export const codeName = (type: CodeType, code: string, locale: string): string =>
  codesOf(type, locale).find(({ value }) => value === code)?.label ?? code;

/** Removes accents, capitals and punctuation: `Côte d’Ivoire` becomes `cote d ivoire`. */
const normalise = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}+-]+/gu, ' ')
    .trim();

/** Rank of a choice for typed text: lower is better, undefined means no match. */
function matchDistance({ value, label, alias }: CodeChoice, typed: string): number | undefined {
  const [code, name] = [normalise(value), normalise(label)];
  if (code === typed || normalise(alias ?? '') === typed || name === typed) return 0;
  if (code.startsWith(typed) || name.startsWith(typed)) return 1;
  if (name.includes(` ${typed}`)) return 2;
  return name.includes(typed) ? 3 : undefined;
}

/** Returns the choices that match the typed text, best first. Empty text matches all. */
export function choicesFor<C extends CodeChoice>(
  choices: readonly C[],
  text: string,
): readonly C[] {
  const typed = normalise(text);
  if (typed === '') return choices;
  return choices
    .flatMap((choice) => {
      const distance = matchDistance(choice, typed);
      return distance === undefined ? [] : [{ choice, far: distance }];
    })
    .toSorted((a, b) => a.far - b.far)
    .map(({ choice }) => choice);
}

/** Returns the choice that typed text identifies: an exact code or name, or the only match. */
export function choiceOf(choices: readonly CodeChoice[], text: string): CodeChoice | undefined {
  const typed = normalise(text);
  if (typed === '') return undefined;
  const [first, second] = choicesFor(choices, text);
  const isSure = first && (second === undefined || matchDistance(first, typed) === 0);
  return isSure ? first : undefined;
}
