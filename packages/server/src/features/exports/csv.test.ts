import { describe, expect, it } from 'vitest';
import { CsvDecimal, toCsvCell, toCsvLine } from './csv.ts';

describe('a cell of a CSV file', () => {
  it.each([
    [null, ''],
    [undefined, ''],
    [0, '0'],
    [-5, '-5'],
    [false, 'false'],
    ['Mugs', 'Mugs'],
    ['Mugs, red', '"Mugs, red"'],
    ['the "best"', '"the ""best"""'],
    ['two\nlines', '"two\nlines"'],
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    [new CsvDecimal('-1.50'), '-1.50'],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['=HYPERLINK("x")', `"'=HYPERLINK(""x"")"`],
    [{ a: 1 }, '"{""a"":1}"'],
    [[], '[]'],
  ])('of %j is %s', (value, cell) => {
    expect(toCsvCell(value)).toBe(cell);
  });

  it('ends its line as in RFC 4180', () => {
    expect(toCsvLine(['id', 1, null, 'a,b'])).toBe('id,1,,"a,b"\r\n');
  });
});
