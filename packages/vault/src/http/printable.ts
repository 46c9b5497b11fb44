/**
 * A sentence for a terminal: control characters, also those of text direction, become codes. Stored names come from the
 * server, which could otherwise write lines of its own.
 */
export const printable = (sentence: string): string =>
  sentence.replace(
    /[\p{C}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
