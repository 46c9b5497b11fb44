/** Maximum bytes of a character in UTF-8. */
const CHARACTER_BYTES = 4;
/** Separates the file's text from the typed text. */
const BETWEEN = '\n\n';

export type TextFile =
  | { readonly text: string }
  | { readonly problem: 'file_too_long' | 'file_no_text' };

/** Appends a file's text to the typed text. The file must be plain UTF-8; the result has `max` characters at most. */
export async function withFile(file: Blob, typed: string, max: number): Promise<TextFile> {
  // Checked before reading, so that huge files are never loaded.
  if (file.size > max * CHARACTER_BYTES) return { problem: 'file_too_long' };
  const read = decodeText(await file.arrayBuffer());
  if (read === undefined) return { problem: 'file_no_text' };
  const text = [typed.trimEnd(), read].filter((it) => it !== '').join(BETWEEN);
  return text.length > max ? { problem: 'file_too_long' } : { text };
}

/** Control characters other than whitespace. */
const OF_NO_TEXT = /(?!\s)\p{Cc}/u;

/** Decodes UTF-8. Returns undefined for binary files: invalid UTF-8, or control characters. */
function decodeText(bytes: ArrayBuffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return OF_NO_TEXT.test(text) ? undefined : text.replaceAll('\r\n', '\n').trim();
  } catch {
    return undefined;
  }
}
