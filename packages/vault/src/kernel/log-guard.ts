import { findRawCard, isForbiddenName } from '@florin/contract/card/scan.ts';
import { cardsIn, fold, STRICT_DIGITS_MIN, type Strictness } from '@florin/contract/card/spans.ts';

/**
 * Second safeguard of the log, after the closed list of events: removes card data from finished lines,
 * including lines of future events.
 */

/** Finds card numbers next to letters too. Thirteen digits are allowed, because one EAN in ten would match. */
const STRICTNESS: Strictness = { digitsMin: STRICT_DIGITS_MIN, alone: false };

/** Member names of keys and encrypted values. Names that no client may send are checked in addition. */
const SECRET_NAME =
  /^(?:number|digits|(?:pan|cvv|network_token)_jwe|jwe|d|dek|kek|wrapped.*|ciphertext|cryptogram|plain(?:text)?|secret.*|password|pin|private.*|.*_key|key|body|headers?)$/i;
/** Ids and times contain groups of digits. Text that fully matches one of these forms is not a card number. */
const ID_OR_TIME =
  /^(?:[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)$/i;

const DROPPED = '[dropped]';
const DROPPED_LINE = `{"event":"line_dropped"}\n`;

/** Replaces every card number in a text with a word. */
export function dropCards(text: string): string {
  if (ID_OR_TIME.test(text)) return text;
  const foldedText = fold(text);
  let guardedText = '';
  let position = 0;
  for (const { start, end } of cardsIn(foldedText, STRICTNESS)) {
    guardedText += foldedText.slice(position, start) + DROPPED;
    position = end;
  }
  return position === 0 ? text : guardedText + foldedText.slice(position);
}

/** Removes card numbers and secret members from a log line. Drops lines that are not JSON. */
export function guardLine(line: string): string {
  try {
    return `${JSON.stringify(JSON.parse(line, guardMember))}\n`;
  } catch {
    return DROPPED_LINE;
  }
}

function guardMember(name: string, value: unknown): unknown {
  if (isForbiddenName(name) || SECRET_NAME.test(name)) return undefined;
  if (typeof value === 'string') return dropCards(value);
  return typeof value === 'number' && findRawCard(value) ? DROPPED : value;
}
