import { describe, expect, it } from 'vitest';
import { describeRuleOrder, describeSettlementDifference, readMoveWords } from './decide.ts';
import { parseReceipt } from './receipt.ts';
import { inOrderOfReferences } from './tables.ts';

const [A, B] = ['a', 'b'].map((end) => `01935f00-0000-7000-8000-00000000000${end}`) as [
  string,
  string,
];
it('days of settlement are equal, or wait', () => {
  const day = (date: string, part: string | null = null) => ({
    processor: 'network',
    mode: 'sandbox',
    day: date,
    part,
  });
  const differences = (one: object, other: object[]) =>
    describeSettlementDifference([one as never], other as never, '2026-11-29').length;
  expect(differences(day('2026-11-29', '1'), [])).toBe(0);
  expect(differences(day('2026-11-28'), [day('2026-11-28', '1')])).toBe(0);
  expect(differences(day('2026-11-28'), [day('2026-11-29', '1')])).toBe(1);
  expect(differences(day('2026-11-28', '3'), [day('2026-11-28', '3')])).toBe(1);
});

it('rules of the merchant come first, and fit', () => {
  const counted = (count: string, own: string) => [{ mode: 'live', count, own }];
  const late = [{ mode: 'live', name: 'Own', earlier: 'All' }];
  expect(describeRuleOrder([], counted('3', '2'), counted('498', '0'))).toEqual([]);
  expect(describeRuleOrder([], counted('3', '0'), counted('500', '0'))).toEqual([]);
  expect(describeRuleOrder([], counted('3', '3'), counted('498', '0'))).toHaveLength(1);
  expect(describeRuleOrder(late, [], [])).toEqual([expect.stringContaining('All')]);
});

describe('words and files of the command', () => {
  it('are read', () => {
    const words = ['--account', `${A}=${B}`, '--cards', 'receipt', '--dry-run'];
    const expected = { accounts: { [A]: B }, cards: 'receipt', dry_run: true, cancel: false };
    expect(readMoveWords(words)).toEqual(expected);
    expect(parseReceipt(`florin-card-receipt-1 vault ${A}\nd1\nd2\n`)).toEqual({
      vault_id: 'vault',
      merchant_id: A,
      digests: new Set(['d1', 'd2']),
    });
  });

  it.each([['--account', 'a=b'], ['--account'], ['--cards'], ['--fast']])(
    '%s %s is refused',
    (...words) => {
      expect(() => readMoveWords(words.filter(Boolean))).toThrow(/give|option/);
    },
  );

  it('are no receipt without its first line', () => {
    expect(() => parseReceipt('d1\nd2\n')).toThrow('no receipt');
  });
});

it('tables that refer to each other in a circle are refused', () => {
  const [one, two] = ['one', 'two'].map((name) => ({ name, columns: [] }));
  const refer = (source: string, target: string) => ({ source, target, column: 'id' });
  const tables = [one, two] as { name: string; columns: [] }[];
  const ordered = inOrderOfReferences(tables, [refer('one', 'two'), refer('one', 'one')]);
  expect(ordered.map(({ name, own_reference }) => [name, own_reference])).toEqual([
    ['two', undefined],
    ['one', 'id'],
  ]);
  const circle = [refer('one', 'two'), refer('two', 'one')];
  expect(() => inOrderOfReferences(tables, circle)).toThrow('in a circle');
});
