import { describe, expect, it } from 'vitest';
import type { ProcessorAccount, ProcessorAccounts } from '../../../processors/accounts.ts';
import { NETWORK, type Route } from '../../../processors/route.ts';
import { describeAccounts, describeRoute, describeRules } from './describe.ts';

const accounts: Pick<ProcessorAccounts, 'find'> = {
  find: (id) => (id === 'eu' ? ({ id, name: 'Europe' } as ProcessorAccount) : undefined),
};
const row = { id: '1', name: 'Europe', processor: 'example', mode: 'live', status: 'enabled' };

describe('the text of a route', () => {
  it.each<[string, Route, string]>([
    [
      'names the rule and the account',
      { rule: 'Euros', candidates: ['eu', NETWORK], fallback: 'declined', refused: [] },
      'Europe (eu) takes the payment: the rule "Euros" matches.\nThe simulated network is asked if the message cannot be sent, or after a decline that allows it.',
    ],
    [
      'names the simulated network',
      { rule: null, candidates: [NETWORK], fallback: 'not_sent', refused: [] },
      'The simulated network takes the payment: no rule matches.',
    ],
    [
      'says why accounts refuse, also a removed one',
      {
        rule: 'Euros',
        candidates: [],
        fallback: 'not_sent',
        refused: [
          { account: 'eu', why: 'currency' },
          { account: 'gone', why: 'not_enabled' },
        ],
      },
      'No account takes the payment: the rule "Euros" matches.\nEurope (eu) does not take the currency.\nThe account gone is not enabled.',
    ],
    [
      'gives advice where nothing was considered',
      { rule: null, candidates: [], fallback: 'not_sent', refused: [] },
      'No account takes the payment: no rule matches.\nThe mode has no enabled account. Add or enable one.',
    ],
  ])('%s', (_, route, text) => {
    expect(describeRoute(accounts, route)).toBe(text);
  });
});

const none = { keys: new Map(), notifications: new Map() };

it('a list of accounts is a table that ends with the last check', () => {
  const checked = { ...row, checked_at: '2031-02-03 04:05:06.789+00' };
  const lines = describeAccounts([row, { ...checked, check_failure: 'Refused.' }], none).split(
    '\n',
  );
  expect(lines).toEqual([
    'id  name    processor  mode  status   last check',
    '1   Europe  example    live  enabled  never',
    '1   Europe  example    live  enabled  2031-02-03T04:05:06Z Refused.',
  ]);
});

it('a list of accounts names those whose notifications are refused, and the next step', () => {
  const refused = {
    count: '3',
    last_at: '2031-02-03 04:05:06.789+00',
    last_reason: 'no_signature',
  };
  const refusals = { ...none, notifications: new Map([['1', refused]]) };
  const adapters = { example: { metadata: { signature_field: 'hmac_key', fields: [] } } };
  expect(describeAccounts([row], refusals, adapters).split('\n').at(-1)).toBe(
    "Europe (1): 3 notifications are refused, the last at 2031-02-03T04:05:06Z: it has no signature. Check the signature key: compare it with the processor's, and store it with npm run florin -- processors change 1 --secret hmac_key=FILE",
  );
  const removed = { ...row, status: 'removed' };
  expect(describeAccounts([removed], refusals)).not.toContain('refused');
});

it('a list of accounts names those whose key is refused, since when, and the next step', () => {
  const refused = {
    count: '1',
    since: '2031-02-03 04:05:06.789+00',
    last_at: '2031-02-03 04:05:06.789+00',
  };
  const refusals = { ...none, keys: new Map([['1', refused]]) };
  const fieldOf = (name: string, secret: boolean, required = true) =>
    ({ name, secret, required, label: '', help: '' }) as const;
  const fields = [fieldOf('url', false), fieldOf('api_key', true), fieldOf('hmac', true, false)];
  const adapters = { example: { metadata: { fields } } };
  expect(describeAccounts([row], refusals, adapters).split('\n').at(-1)).toBe(
    'Europe (1): the processor refuses the key since 2031-02-03T04:05:06Z: 1 message, the last at 2031-02-03T04:05:06Z. Create a key at the processor, store it with npm run florin -- processors change 1 --secret api_key=FILE, and test it with npm run florin -- processors check 1',
  );
  expect(describeAccounts([{ ...row, status: 'removed' }], refusals)).not.toContain('refuses');
});

it('rules are JSON that can be stored again', () => {
  const conditions = { currencies: ['EUR'] };
  const rule = { name: 'Euros', conditions, accounts: ['eu'], fallback: 'declined' } as const;
  const text = describeRules([{ ...rule, merchant_id: null, mode: 'live' }]);
  expect(JSON.parse(text)).toEqual([rule]);
});
