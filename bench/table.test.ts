import { describe, expect, it } from 'vitest';
import { renderTable, roundText } from './table.ts';

describe('a table', () => {
  it('aligns numbers right and text left, without spaces at the end of lines', () => {
    const table = renderTable(
      ['row', 'median', 'unit'],
      [
        ['fetch', '13716', 'requests/s'],
        ['p99', '9.50', 'ms'],
      ],
    );
    expect(table.split('\n')).toEqual([
      'row    median  unit',
      'fetch   13716  requests/s',
      'p99      9.50  ms',
    ]);
  });

  it('keeps the columns of lines that end early', () => {
    expect(renderTable(['row', 'ratio'], [['a'], ['bb', '1.00']])).toBe(
      'row  ratio\na\nbb    1.00',
    );
  });
});

it.each([
  [13_716.4, '13716'],
  [99.96, '100.0'],
  [10.26, '10.3'],
  [0.123, '0.12'],
  [Number.NaN, ''],
])('%d is printed as "%s"', (figure, text) => {
  expect(roundText(figure)).toBe(text);
});
