import { matchDetail } from '@florin/contract/error-details/match-detail.ts';
import { fillIn, humanise, sizeText } from './format-text.ts';
import type { Language } from './languages.ts';
import type { Texts } from './texts.ts';

export interface DetailTexts {
  readonly details: Texts;
  /** Names of types, fields and values. */
  readonly names: Texts;
}

/** Writes the detail of an error for people. Returns undefined for an unknown detail. */
export type DetailText = (detail: string) => string | undefined;

/** Parameters that are values of the interface. Some have an article: `an update`. */
const NAMED: ReadonlySet<string> = new Set(['action', 'kind', 'state']);
const ARTICLE = /^an? /;

export function createDetailText(language: Language, { details, names }: DetailTexts): DetailText {
  const nameOf = (value: string) => names[`value_${value}`] ?? humanise(value);
  const shown = ([name, value]: readonly [string, string]): readonly [string, string] => {
    if (NAMED.has(name)) return [name, nameOf(value.replace(ARTICLE, ''))];
    return [name, name === 'bytes' ? sizeText(Number(value), language) : value];
  };
  return (detail) => {
    const known = matchDetail(detail);
    const text = known && details[known.name];
    return text && fillIn(text, Object.fromEntries(Object.entries(known.parameters).map(shown)));
  };
}
