/** The most bytes that a character has in UTF-8. */
const CHARACTER_BYTES = 4;
/** Two empty lines' worth: what is read stands below what was there. */
const BETWEEN = '\n\n';

export type TextFile =
  | { readonly text: string }
  | { readonly problem: 'file_too_long' | 'file_no_text' };

/** Puts the text of a file below what is typed already: `max` characters at most, and plain text in UTF-8. */
export async function withFile(file: Blob, typed: string, max: number): Promise<TextFile> {
  // Nothing so large is read into memory at all.
  if (file.size > max * CHARACTER_BYTES) return { problem: 'file_too_long' };
  const read = decoded(await file.arrayBuffer());
  if (read === undefined) return { problem: 'file_no_text' };
  const text = [typed.trimEnd(), read].filter((it) => it !== '').join(BETWEEN);
  return text.length > max ? { problem: 'file_too_long' } : { text };
}

/** Control characters, but for those that are spaces and ends of lines. */
const OF_NO_TEXT = /(?!\s)\p{Cc}/u;

/** Undefined of pictures and other documents: these are no UTF-8, or have characters in them that no text has. */
function decoded(bytes: ArrayBuffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return OF_NO_TEXT.test(text) ? undefined : text.replaceAll('\r\n', '\n').trim();
  } catch {
    return undefined;
  }
}
