/** A word that the glossary replaces everywhere. */
export interface ReplacedWord {
  readonly word: string;
  /** Words to use instead, as plain text. */
  readonly use: string;
}

/** Bold words in the first column of the glossary's tables, with the second column. */
export function replacedWordsIn(glossary: string): ReplacedWord[] {
  return [...glossary.matchAll(/^\|([^|]*)\|([^|]*)\|/gm)].flatMap(
    ([, firstColumn = '', secondColumn = '']) =>
      [...firstColumn.matchAll(/\*\*([^*]+)\*\*/g)].map(([, word = '']) => ({
        word,
        use: secondColumn.trim(),
      })),
  );
}
