/** A place where a line may end: after a space, or beside a Han character or kana. */
const WORD =
  /[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]|[^\s\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]*\s*/gu;

/**
 * Breaks a text into lines that fit `width`. A word that is too long is broken between characters. The text's own line
 * breaks stay.
 */
export function wrapText(text: string, width: number, widthOf: (text: string) => number): string[] {
  return text.split(/\r?\n/).flatMap((paragraph) => wrapParagraph(paragraph, width, widthOf));
}

function wrapParagraph(text: string, width: number, widthOf: (text: string) => number): string[] {
  const words = (text.match(WORD) ?? []).flatMap((word) =>
    widthOf(word.trimEnd()) <= width
      ? word
      : [...graphemes.segment(word)].map(({ segment }) => segment),
  );
  const lines: string[] = [];
  let line = '';
  let used = 0;
  for (const word of words) {
    if (line !== '' && used + widthOf(word.trimEnd()) > width) {
      lines.push(line.trimEnd());
      line = '';
      used = 0;
    }
    line += word;
    used += widthOf(word);
  }
  return [...lines, line.trimEnd()];
}

/** Boundaries between the characters that people see do not depend on a language. */
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
