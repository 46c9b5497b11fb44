import { describe, expect, it } from 'vitest';
import { describeSettlementDifference, matchAccounts, readMoveWords } from './decide.ts';
import { parseReceipt } from './receipt.ts';
import { inOrderOfReferences } from './tables.ts';

const [A, B, C] = ['a', 'b', 'c'].map((end) => `01935f00-0000-7000-8000-00000000000${end}`) as [
  string,
  string,
  string,
];
const account = (id: string, change = {}) => ({
  id,
  name: id,
  mode: 'live',
  processor: 'adyen',
  identity: 'Shop',
  ...change,
});

describe('accounts at processors', () => {
  it.each<[string, object, Record<string, string>, object]>([
    ['of one identity match', {}, {}, { accounts: { [A]: B }, problems: [] }],
    ['that an operator names match', { identity: 'Other' }, { [A]: B }, { accounts: { [A]: B } }],
    [
      'of another identity do not match',
      { identity: 'Other' },
      {},
      { accounts: {}, problems: [expect.stringContaining(`--account ${A}=ID`)] },
    ],
    ['without an identity do not match', { identity: null }, {}, { accounts: {} }],
    [
      'of another mode never match',
      { mode: 'sandbox' },
      { [A]: B },
      { accounts: {}, problems: [expect.stringContaining('sandbox mode')] },
    ],
    [
      'that are not there are named',
      {},
      { [A]: C },
      { problems: [expect.stringContaining(`no account ${C}`)] },
    ],
    ['that nothing uses are named', {}, { [C]: B }, { problems: [expect.stringContaining(C)] }],
  ])('%s', (_, change, given, expected) => {
    expect(matchAccounts([account(A)], [account(B, change)], given)).toMatchObject(expected);
  });
});

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
