import { describe, expect, it } from 'vitest';
import { matchAccounts } from './match-accounts.ts';

const [A, B, C, M, OTHER] = ['a', 'b', 'c', 'd', 'e'].map(
  (end) => `01935f00-0000-7000-8000-00000000000${end}`,
) as [string, string, string, string, string];
const account = (id: string, change = {}) => ({
  id,
  name: id,
  mode: 'live',
  processor: 'adyen',
  identity: 'Shop',
  merchant_id: null,
  status: 'enabled',
  currencies: null,
  networks: null,
  descriptor: null,
  in_rules: 'f',
  ...change,
});
const own = { merchant_id: M };
const matched = { accounts: { [A]: B }, problems: [] };
const refusedWith = (text: string) => ({
  accounts: {},
  problems: [expect.stringContaining(text)],
});

describe('accounts at processors', () => {
  it.each<[string, object, object, Record<string, string>, object]>([
    ['of one identity match', {}, {}, {}, matched],
    ['that an operator names match', {}, { identity: 'Other' }, { [A]: B }, matched],
    [
      'of another identity do not match',
      {},
      { identity: 'Other' },
      {},
      refusedWith(`--account ${A}=ID`),
    ],
    ['without an identity do not match', {}, { identity: null }, {}, { accounts: {} }],
    [
      'of another mode never match',
      {},
      { mode: 'sandbox' },
      { [A]: B },
      refusedWith('sandbox mode'),
    ],
    ['that are not there are named', {}, {}, { [A]: C }, refusedWith(`no account ${C}`)],
    ['that nothing uses are named', {}, {}, { [C]: B }, { problems: [expect.stringContaining(C)] }],
    [
      'of another merchant do not match',
      {},
      { merchant_id: OTHER },
      {},
      refusedWith('connect it there'),
    ],
    [
      'of another merchant do not match if named',
      {},
      { merchant_id: OTHER },
      { [A]: B },
      refusedWith('for another merchant alone'),
    ],
    ['of the merchant alone match', own, own, {}, matched],
    [
      'of the merchant alone match none of all merchants',
      own,
      {},
      {},
      refusedWith('for the merchant alone'),
    ],
    ['of the merchant alone match one of all merchants if named', own, {}, { [A]: B }, matched],
    ['of all merchants match one of the merchant alone', {}, own, {}, matched],
    [
      'of the merchant alone must be enabled',
      own,
      { ...own, status: 'paused' },
      {},
      refusedWith('enable it'),
    ],
    [
      'that rules name must be enabled',
      { in_rules: 't' },
      { status: 'paused' },
      {},
      refusedWith('enable it'),
    ],
    ['that refund only may be paused', {}, { status: 'paused' }, {}, matched],
    [
      'of the merchant alone have equal choices',
      own,
      { ...own, currencies: '["EUR"]' },
      {},
      refusedWith('currencies'),
    ],
  ])('%s', (_, change, found, given, expected) => {
    expect(matchAccounts(M, [account(A, change)], [account(B, found)], given)).toMatchObject(
      expected,
    );
  });
});
