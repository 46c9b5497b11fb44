import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LINE_CHARS_MAX, parseJsonLines } from './json-lines.ts';

const SEED = 20_250_903;
const encodeText = (text: string) => new TextEncoder().encode(text);

async function* splitBytes(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size)
    yield bytes.subarray(start, start + size);
}

async function collect(values: AsyncIterable<unknown>): Promise<unknown[]> {
  const items: unknown[] = [];
  for await (const value of values) items.push(value);
  return items;
}

test('lines are complete, however the bytes are split', async () => {
  const property = fc.asyncProperty(
    fc.array(fc.jsonValue({ stringUnit: 'grapheme' })),
    fc.integer({ min: 1, max: 20 }),
    async (values, size) => {
      const text = values.map((value) => `${JSON.stringify(value)}\n`).join('');
      const parsedValues = await collect(parseJsonLines(splitBytes(encodeText(text), size)));
      expect(JSON.stringify(parsedValues)).toBe(JSON.stringify(values));
    },
  );
  await fc.assert(property, { seed: SEED, numRuns: 300 });
});

test.each([
  ['a line that is cut off', '{"a":1}\n{"b"'],
  ['a line that is not JSON', '{"a":1}\nhello\n'],
  ['a line without end', `"${'x'.repeat(LINE_CHARS_MAX)}`],
])('%s is an error', async (_, text) => {
  await expect(collect(parseJsonLines(splitBytes(encodeText(text), 1 << 20)))).rejects.toThrow();
});
