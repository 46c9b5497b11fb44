import { SEARCH_TEXT_MIN } from '@florin/contract/search.ts';
import { minorUnitsOf } from '@florin/contract/typed-amounts.ts';
import { containsPattern } from '../../platform/database/like.ts';

/** Ids that begin with the digits of a text. */
export interface IdRange {
  readonly from: string;
  readonly to: string;
}

/** A search text with its interpretations. */
export interface SearchText {
  /** The complete text, which may be a reference. */
  readonly whole: string;
  /** Patterns for `like`, one for each word. A record matches all of them. */
  readonly patterns: readonly string[];
  /** Words that are long enough for the index. */
  readonly words: readonly string[];
  /** Last digits of a card number; null if the text has another form. */
  readonly last_four: string | null;
  /** Null if the text is no id or beginning of an id. */
  readonly ids: IdRange | null;
  /** Amounts that the text may mean, which depend on the currency: `20` is 2000 of USD, and 20 of JPY. */
  readonly amounts: readonly SearchedAmount[];
}

/** Minor units in currencies with a number of decimals. */
export interface SearchedAmount {
  readonly exponent: 0 | 2 | 3;
  readonly cents: number;
}

/** Words of a text that are compared. The remaining words are ignored. */
const WORDS_MAX = 6;
const ID_DIGITS = 32;
const ID_PARTS = 5;
const AMOUNT = /^[^\d,.-]{0,4}(\d[\d.,' ]*)[^\d,.-]{0,4}$/;
/** A currency for each number of decimals. */
const EXAMPLES = [
  [0, 'JPY'],
  [2, 'USD'],
  [3, 'BHD'],
] as const;
const LAST_FOUR = /^[•*x.\s]*(\d{4})$/i;

/** Interprets a search text, which is trimmed and not empty. */
export function readSearchText(whole: string): SearchText {
  const words = whole.split(/\s+/).slice(0, WORDS_MAX);
  return {
    whole,
    patterns: words.map(containsPattern),
    words: words.filter((word) => word.length >= SEARCH_TEXT_MIN),
    last_four: LAST_FOUR.exec(whole)?.[1] ?? null,
    ids: idRangeOf(whole.toLowerCase()),
    amounts: amountsOf(whole),
  };
}

function amountsOf(text: string): SearchedAmount[] {
  const number = AMOUNT.exec(text)?.[1]?.trim() ?? '';
  return EXAMPLES.flatMap(([exponent, currency]) => {
    const cents = minorUnitsOf(number, currency);
    return cents === undefined ? [] : [{ exponent, cents }];
  });
}

function idRangeOf(text: string): IdRange | null {
  const digits = text.replaceAll('-', '');
  const isBeginning = text === digits || text.replace(/-$/, '') === idText(digits);
  if (!isBeginning || !/^[0-9a-f]{8,32}$/.test(digits)) return null;
  return {
    from: idText(digits.padEnd(ID_DIGITS, '0')),
    to: idText(digits.padEnd(ID_DIGITS, 'f')),
  };
}

/** Hyphens after 8, 12, 16 and 20 digits, as ids are written. */
const idText = (digits: string): string =>
  digits.replace(/^(.{8})(.{1,4})(.{0,4})(.{0,4})(.*)$/, (_, ...parts: string[]) =>
    parts.slice(0, ID_PARTS).filter(Boolean).join('-'),
  );
