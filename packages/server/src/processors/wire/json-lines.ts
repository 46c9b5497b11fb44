/** Maximum characters of a line. */
export const LINE_CHARS_MAX = 256 * 1024;

/** Yields each parsed JSON line of a byte stream as soon as the line is complete. Throws for a malformed line. */
export async function* parseJsonLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  let incompleteLine = '';
  for await (const chunk of bytes) {
    const lines = (incompleteLine + decoder.decode(chunk, { stream: true })).split('\n');
    incompleteLine = lines.pop() ?? '';
    if (incompleteLine.length > LINE_CHARS_MAX) throw new RangeError('A line is too long.');
    for (const line of lines) if (line !== '') yield JSON.parse(line);
  }
  if (incompleteLine !== '') throw new SyntaxError('The last line is incomplete.');
}
