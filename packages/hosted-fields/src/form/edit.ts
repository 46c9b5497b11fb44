/** Parses and formats the digits of a field. */
export interface Format {
  /** Digits of a text, cut to the field's maximum length. */
  digits(raw: string): string;
  /** Digits with separators, as displayed. */
  show(digits: string): string;
}

export type Deletion = 'backward' | 'forward';

export interface EditResult {
  readonly text: string;
  readonly caret: number;
}

/** State after a keystroke or paste: the raw text, its caret, and the previous digits. */
export interface RawEdit {
  readonly before: string;
  readonly raw: string;
  readonly caret: number;
  readonly deletion: Deletion | undefined;
}

/** Digits of a text. Full-width and Arabic digits become ASCII. */
export const plainDigits = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replace(/\D/g, '');

/**
 * Reformats a field after an edit and keeps the caret between the same two digits. Deleting a separator deletes the
 * digit behind it; otherwise the key would have no visible effect.
 */
export function reformat(format: Format, { before, raw, caret, deletion }: RawEdit): EditResult {
  if (deletion) return afterDeletion(format, before, raw, caret, deletion);
  const digits = format.digits(raw);
  const text = format.show(digits);
  if (caret >= raw.length) return { text, caret: text.length };
  return { text, caret: placeOf(text, format.digits(raw.slice(0, caret)).length) };
}

function afterDeletion(
  { show }: Format,
  before: string,
  raw: string,
  caret: number,
  deletion: Deletion,
): EditResult {
  let digits = plainDigits(raw);
  let digitsBefore = plainDigits(raw.slice(0, caret)).length;
  if (digits === before) {
    if (deletion === 'backward') digitsBefore = Math.max(0, digitsBefore - 1);
    digits = digits.slice(0, digitsBefore) + digits.slice(digitsBefore + 1);
  }
  const text = show(digits);
  return { text, caret: placeOf(text, digitsBefore) };
}

/** Index in the text right after its first `count` digits. */
function placeOf(text: string, count: number): number {
  let index = 0;
  for (let digitsSeen = 0; digitsSeen < count && index < text.length; index++) {
    if (/\d/.test(text[index] as string)) digitsSeen++;
  }
  return index;
}
