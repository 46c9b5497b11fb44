import { expect, it } from 'vitest';
import { describeAccount } from './show.ts';

it('an account is shown with what is set, the names of its secrets, and what still needs it', () => {
  const row = {
    id: '1',
    name: 'Europe',
    processor: 'adyen',
    mode: 'live',
    status: 'enabled',
    merchant_id: null,
    settings: JSON.stringify({ merchant_account: 'Shop_ECOM', several_captures: 'yes' }),
    secret_names: JSON.stringify(['api_key', 'hmac_key']),
    currencies: JSON.stringify(['EUR']),
    networks: null,
  };
  const obligations = {
    open_outcomes: 1,
    holds: 0,
    pending_follow_ups: 0,
    refundable: 2,
    open_disputes: 0,
  };
  const refusals = { notifications: new Map(), keys: new Map() };
  expect(describeAccount(row, obligations, refusals, {}).split('\n')).toEqual([
    'Europe (1)',
    'processor                        adyen',
    'mode                             live',
    'status                           enabled',
    'last check                       never',
    'merchant                         all',
    'merchant_account                 Shop_ECOM',
    'several_captures                 yes',
    'secrets                          api_key, hmac_key',
    'currencies                       EUR',
    'networks                         all of the processor',
    'open outcomes                    1',
    'payments on hold                 0',
    'pending captures and refunds     0',
    'refundable or disputed payments  2',
    'open disputes                    0',
  ]);
});
