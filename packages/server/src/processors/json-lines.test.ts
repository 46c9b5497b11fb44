import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonLines, LINE_CHARS_MAX } from './json-lines.ts';

const SEED = 20_250_903;
const bytes = (text: string) => new TextEncoder().encode(text);

async function* chunked(all: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < all.length; from += size) yield all.subarray(from, from + size);
}

async function collect(values: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const value of values) all.push(value);
  return all;
}

test('lines are complete, however the bytes are split', async () => {
  const property = fc.asyncProperty(
    fc.array(fc.jsonValue({ stringUnit: 'grapheme' })),
    fc.integer({ min: 1, max: 20 }),
    async (values, size) => {
      const text = values.map((value) => `${JSON.stringify(value)}\n`).join('');
      const read = await collect(jsonLines(chunked(bytes(text), size)));
      expect(JSON.stringify(read)).toBe(JSON.stringify(values));
    },
  );
  await fc.assert(property, { seed: SEED, numRuns: 300 });
});

test.each([
  ['a line that is cut off', '{"a":1}\n{"b"'],
  ['a line that is not JSON', '{"a":1}\nhello\n'],
  ['a line without end', `"${'x'.repeat(LINE_CHARS_MAX)}`],
])('%s is an error', async (_, text) => {
  await expect(collect(jsonLines(chunked(bytes(text), 1 << 20)))).rejects.toThrow();
});
