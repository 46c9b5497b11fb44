/** Longest sentence of comments and prose, in words. A code span is one word. */
export const WORDS_MAX = 25;

const OPENINGS =
  /^(?:What|Whatever|Who|Whoever|Whose|Which|Of|It|Its|They|That|Those|One (?:that|who|whose|which|of|in|at|by|to|for|from|with|is|was|has|may|can))\b/;

/** Splits text into sentences: after a full stop, question or exclamation mark before a capital. */
export const splitSentences = (text: string): string[] =>
  text.split(/(?<=[.!?])\)?\s+(?=["'(`[A-Z])/).filter(Boolean);

/** First words of a sentence that name nothing, such as "It" or "One that". */
export function vagueOpeningOf(sentence: string): string | undefined {
  const [opening] = OPENINGS.exec(sentence) ?? [];
  return opening;
}

export const countWords = (sentence: string): number =>
  sentence.split(/\s+/).filter((part) => /[\p{L}\p{N}]/u.test(part)).length;
