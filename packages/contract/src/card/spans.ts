/**
 * Finds the positions of card numbers in a text. A run of digits counts if its length, leading
 * digits and check digit fit a network. Ids, times, hashes and phone numbers must not count.
 */
import { PAN_DIGITS_MAX } from './card-number.ts';
import { luhnOk } from './luhn.ts';
import { networkOf } from './networks.ts';

export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Strictness {
  readonly digitsMin: number;
  /** Whether to ignore numbers next to a letter, `_`, `-` or `+`. */
  readonly alone: boolean;
}

/**
 * Minimum digits in client input. With thirteen digits, one EAN in ten would count as a card
 * number.
 */
export const STRICT_DIGITS_MIN = 14;
const LOOSE_DIGITS_MIN = 13;

/** Rule for client input: a false positive refuses a valid request. */
export const strict: Strictness = { digitsMin: STRICT_DIGITS_MIN, alone: true };
/** Rule for log lines: a false positive masks a few digits only. */
export const loose: Strictness = { digitsMin: LOOSE_DIGITS_MIN, alone: false };

/** Maximum number of separators between two digits of a run. */
const GAP_MAX = 3;
const RUN = /\d(?:[\s.-]{0,3}\d){12,}/g;
const NOT_ASCII = /[^\0-\x7f]/;
const NOT_ALONE = /[\p{L}_+-]/u;

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
/** Space, dash, dot, and the white space from tab to carriage return. */
const isSeparator = (code: number): boolean =>
  code === 32 || code === 45 || code === 46 || (code >= 9 && code <= 13);

/** Fast filter for the strict rule. False for nearly all texts without a card number. */
export function mayHoldCard(text: string): boolean {
  if (text.length < STRICT_DIGITS_MIN) return false;
  let digits = 0;
  let gap = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 127) return true;
    if (isDigit(code)) {
      if (++digits >= STRICT_DIGITS_MIN) return true;
      gap = 0;
    } else if (!isSeparator(code) || ++gap > GAP_MAX) {
      digits = 0;
      gap = 0;
    }
  }
  return false;
}

/** Replaces Unicode variants of digits, dashes and spaces with the ASCII characters. */
export function fold(text: string): string {
  if (!NOT_ASCII.test(text)) return text;
  return text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf));
}

/** A run of digits without separators. A card number in the run consists of complete groups. */
interface Run {
  readonly text: string;
  readonly digits: string;
  /** Position of each digit in the text. */
  readonly at: readonly number[];
}

function runAt(text: string, { start, end }: Span): Run {
  const at: number[] = [];
  for (let i = start; i < end; i++) if (isDigit(text.charCodeAt(i))) at.push(i);
  return { text, digits: text.slice(start, end).replace(/\D/g, ''), at };
}

/** Whether a group of digits ends after the first `count` digits of a run. */
const isGroupEdge = ({ at }: Run, count: number): boolean =>
  count === 0 || count === at.length || at[count] !== (at[count - 1] ?? 0) + 1;

const standsAlone = (text: string, { start, end }: Span): boolean =>
  !NOT_ALONE.test(text.charAt(start - 1)) && !NOT_ALONE.test(text.charAt(end));

/** Length of the card number that begins after the first `startIndex` digits of a run; 0 if there is none. */
function cardLength(run: Run, startIndex: number, rule: Strictness): number {
  const window = run.digits.slice(startIndex, startIndex + PAN_DIGITS_MAX);
  for (const length of networkOf(window)?.lengths ?? []) {
    if (length < rule.digitsMin || length > window.length) continue;
    if (!isGroupEdge(run, startIndex + length) || !luhnOk(window.slice(0, length))) continue;
    if (!rule.alone || standsAlone(run.text, spanOf(run, startIndex, length))) return length;
  }
  return 0;
}

const spanOf = ({ at }: Run, startIndex: number, length: number): Span => ({
  start: at[startIndex] ?? 0,
  end: (at[startIndex + length - 1] ?? 0) + 1,
});

/** Positions of the card numbers in a folded text, in order. Runs in linear time. */
export function* cardsIn(text: string, rule: Strictness): Generator<Span> {
  for (const match of text.matchAll(RUN)) {
    const run = runAt(text, { start: match.index, end: match.index + match[0].length });
    for (let startIndex = 0; startIndex <= run.at.length - rule.digitsMin; startIndex++) {
      const length = isGroupEdge(run, startIndex) ? cardLength(run, startIndex, rule) : 0;
      if (length === 0) continue;
      yield spanOf(run, startIndex, length);
      startIndex += length - 1;
    }
  }
}
