import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readColumns, readCsv } from './csv.ts';

const SEED = 20_261_126;
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

describe('a CSV file', () => {
  it('is read as it was written, whatever its fields contain', () => {
    const field = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', 'ü', ' ') });
    const property = fc.property(
      fc.array(fc.array(field, { minLength: 2, maxLength: 2 }), { minLength: 1 }),
      fc.constantFrom('\n', '\r\n'),
      fc.boolean(),
      (rows, end, isEnded) => {
        const lines = rows.map((row) => row.map(quoted).join(','));
        const text = lines.join(end) + (isEnded ? end : '');
        expect(readCsv(text)).toEqual(rows);
      },
    );
    fc.assert(property, { seed: SEED, numRuns: 500 });
  });

  it.each([
    [
      'plain fields',
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['a mark of the byte order', '\uFEFFa,b\n', [['a', 'b']]],
    [
      'empty fields',
      'a,b\n,\n',
      [
        ['a', 'b'],
        ['', ''],
      ],
    ],
    [
      'an empty last field at the end',
      'a,b\n1,',
      [
        ['a', 'b'],
        ['1', ''],
      ],
    ],
    ['nothing', '', []],
  ])('may have %s', (_, text, expected) => {
    expect(readCsv(text)).toEqual(expected);
  });

  it.each([
    ['a quote inside a plain field', 'a"b,c\n', 'Row 1'],
    ['text after a quoted field', '"a"b,c\n', 'Row 1'],
    ['an open quote', 'a,b\n"1,2\n', 'Row 2'],
    ['a missing field', 'a,b\n1\n', 'Row 2'],
    ['an open quote before a long text', `a\n"${'1'.repeat(12_000_000)}`, 'Row 2'],
    ['a line end without LF', 'a,b\r1,2', 'Row 1'],
  ])('with %s is refused', (_, text, message) => {
    expect(() => readCsv(text)).toThrow(message);
  });
});

describe('columns of a file', () => {
  it('are found by name, in any order', () => {
    expect(readColumns('x,b,a\n1,2,3\n', ['a', 'b'])).toEqual([
      { line: 1, fields: { a: '3', b: '2' } },
    ]);
  });

  it.each([
    ['missing', 'a,c\n1,2\n'],
    ['there twice', 'a,b,b\n1,2,3\n'],
  ])('that are %s are named', (_, text) => {
    expect(() => readColumns(text, ['a', 'b'])).toThrow('columns once: b.');
  });
});
