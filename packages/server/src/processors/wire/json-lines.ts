/** Maximum characters of a line. */
export const LINE_CHARS_MAX = 256 * 1024;

/** Yields each parsed JSON line of a byte stream as soon as the line is complete. Throws for a malformed line. */
export async function* parseJsonLines(
  bytes: AsyncIterable<Uint8Array>,
  line_chars_max: number = LINE_CHARS_MAX,
): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  let pieceChars = 0;
  for await (const chunk of bytes) {
    const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n');
    for (const [index, text] of [first, ...others].entries()) {
      if (index > 0) {
        const line = pieces.join('');
        [pieces, pieceChars] = [[], 0];
        if (line !== '') yield JSON.parse(line);
      }
      pieces.push(text);
      pieceChars += text.length;
    }
    if (pieceChars > line_chars_max) throw new RangeError('A line is too long.');
  }
  if (pieceChars > 0) throw new SyntaxError('The last line is incomplete.');
}
