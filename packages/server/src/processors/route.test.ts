import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProcessorAccount } from './accounts.ts';
import { NETWORK, type PaymentFacts, routeOf } from './route.ts';
import type { RoutingRule } from './routing-rule.ts';
import { createSandboxProcessor } from './sandbox/index.ts';

const SEED = 20_261_124;
const processor = createSandboxProcessor({ simulatorUrl: 'http://127.0.0.1:1' });

const createAccount = (id: string, change: Partial<ProcessorAccount> = {}): ProcessorAccount => ({
  id,
  merchant_id: null,
  mode: 'live',
  name: id,
  status: 'enabled',
  processor: {
    ...processor,
    check: {
      mapRequest: () => processor.inquire.mapRequest({ attempt_id: id }),
      mapAnswer: () => ({ result: 'accepted' }),
    },
  },
  currencies: null,
  networks: null,
  descriptor: null,
  ...change,
});

const createRule = (change: Partial<RoutingRule> = {}): RoutingRule => ({
  name: 'rule',
  merchant_id: null,
  mode: 'live',
  conditions: {},
  accounts: ['b'],
  fallback: 'not_sent',
  ...change,
});

const facts: PaymentFacts = {
  merchant_id: 'm1',
  mode: 'live',
  amount: 2_499,
  currency: 'EUR',
  network: 'visa',
  initiator: 'payer',
};
const accounts = [createAccount('a'), createAccount('b'), createAccount('c')];
const table = { accounts, rules: [], has_network: false };
const withMetadata = (change: Partial<ProcessorAccount['processor']['metadata']>) => {
  const account = createAccount('a');
  const { processor: connected } = account;
  return {
    ...account,
    processor: { ...connected, metadata: { ...connected.metadata, ...change } },
  };
};

describe('a payment without a matching rule', () => {
  it('goes to the accounts in their order, at most two', () => {
    expect(routeOf(facts, table)).toEqual({
      rule: null,
      candidates: ['a', 'b'],
      fallback: 'not_sent',
      refused: [],
    });
  });

  it('goes to the simulated network where it exists', () => {
    expect(routeOf(facts, { ...table, has_network: true }).candidates).toEqual([NETWORK]);
  });

  it('has no candidate without accounts', () => {
    expect(routeOf(facts, { ...table, accounts: [] }).candidates).toEqual([]);
  });
});

describe('a rule', () => {
  it.each<[string, RoutingRule['conditions'], Partial<PaymentFacts>, boolean]>([
    ['without conditions', {}, {}, true],
    ['for a currency', { currencies: ['EUR'] }, {}, true],
    ['for another currency', { currencies: ['USD'] }, {}, false],
    ['for a network', { networks: ['visa', 'amex'] }, {}, true],
    ['for another network', { networks: ['amex'] }, {}, false],
    ['for a country that is unknown', { issuer_countries: ['DE'] }, {}, false],
    ["for the issuer's country", { issuer_countries: ['DE'] }, { issuer_country: 'DE' }, true],
    ['for a wallet, of a typed card', { wallets: ['apple_pay'] }, {}, false],
    ['for a wallet', { wallets: ['apple_pay'] }, { wallet: 'apple_pay' }, true],
    ['for charges without the payer', { initiators: ['merchant'] }, {}, false],
    ['from the amount', { amount_min: 2_499 }, {}, true],
    ['above the amount', { amount_min: 2_500 }, {}, false],
    ['up to the amount', { amount_max: 2_499 }, {}, true],
    ['below the amount', { amount_max: 2_498 }, {}, false],
    [
      'of which one condition does not match',
      { currencies: ['EUR'], networks: ['jcb'] },
      {},
      false,
    ],
  ])('%s decides: %s', (_, conditions, change, decides) => {
    const rules = [createRule({ conditions })];
    const route = routeOf({ ...facts, ...change }, { ...table, rules });
    expect(route.rule).toBe(decides ? 'rule' : null);
    expect(route.candidates).toEqual(decides ? ['b'] : ['a', 'b']);
  });

  it.each<[string, Partial<RoutingRule>]>([
    ['another merchant', { merchant_id: 'm2' }],
    ['another mode', { mode: 'sandbox' }],
  ])('of %s does not decide', (_, change) => {
    expect(routeOf(facts, { ...table, rules: [createRule(change)] }).rule).toBeNull();
  });

  it('that matches first decides', () => {
    const rules = [createRule({ name: 'first', accounts: ['c'] }), createRule({ name: 'second' })];
    expect(routeOf(facts, { ...table, rules })).toMatchObject({ rule: 'first', candidates: ['c'] });
  });

  it('says when the second account is asked', () => {
    const rules = [createRule({ fallback: 'declined' })];
    expect(routeOf(facts, { ...table, rules }).fallback).toBe('declined');
  });

  it.each([
    ['payer', 'not_sent'],
    ['merchant', 'declined'],
  ] as const)('with a network token of the %s asks a second account if %s', (initiator, when) => {
    const rules = [createRule({ fallback: 'declined' })];
    const payment = { ...facts, network_token: true, initiator };
    expect(routeOf(payment, { ...table, rules }).fallback).toBe(when);
  });

  it('may send the sandbox to an account instead of the simulated network', () => {
    const rules = [createRule({ accounts: ['c', NETWORK] })];
    expect(routeOf(facts, { ...table, rules, has_network: true }).candidates).toEqual([
      'c',
      NETWORK,
    ]);
  });
});

describe('an account', () => {
  it.each<[string, ProcessorAccount, Partial<PaymentFacts>, string]>([
    ['for other currencies', createAccount('a', { currencies: ['USD'] }), {}, 'currency'],
    ['of a processor without the currency', withMetadata({ currencies: ['USD'] }), {}, 'currency'],
    [
      'of a processor that refuses it',
      withMetadata({ refused_currencies: ['EUR'] }),
      {},
      'currency',
    ],
    ['that cannot express the amount', withMetadata({ takesAmount: () => false }), {}, 'amount'],
    ['for other networks', createAccount('a', { networks: ['amex'] }), {}, 'card_network'],
    [
      'without wallets',
      withMetadata({ capabilities: { ...processor.metadata.capabilities, wallets: [] } }),
      { wallet: 'google_pay' },
      'wallet',
    ],
    [
      'without network tokens',
      withMetadata({ capabilities: { ...processor.metadata.capabilities, network_tokens: [] } }),
      { network_token: true },
      'network_token',
    ],
    [
      'with network tokens of other networks',
      withMetadata({
        capabilities: { ...processor.metadata.capabilities, network_tokens: ['mastercard'] },
      }),
      { network_token: true },
      'network_token',
    ],
    [
      'without charges of stored cards',
      withMetadata({
        capabilities: { ...processor.metadata.capabilities, merchant_initiated: false },
      }),
      { initiator: 'merchant' },
      'merchant_initiated',
    ],
  ])('%s is no candidate', (_, account, change, why) => {
    const rules = [createRule({ accounts: ['a', 'b'] })];
    expect(
      routeOf(
        { ...facts, ...change },
        { rules, accounts: [account, createAccount('b')], has_network: false },
      ),
    ).toMatchObject({ candidates: ['b'], refused: [{ account: 'a', why }] });
  });

  it('that a rule names and that is paused is no candidate', () => {
    const rules = [createRule({ accounts: ['paused', 'a'] })];
    expect(routeOf(facts, { ...table, rules })).toMatchObject({
      candidates: ['a'],
      refused: [{ account: 'paused', why: 'not_enabled' }],
    });
  });
});

it('every candidate is an enabled account or the network, none twice, at most two', () => {
  const id = fc.constantFrom('a', 'b', 'c', 'gone', NETWORK);
  const property = fc.property(
    fc.array(fc.array(id, { minLength: 1, maxLength: 5 }), { maxLength: 3 }),
    fc.boolean(),
    fc.constantFrom('EUR', 'USD'),
    (lists, has_network, currency) => {
      const rules = lists.map((list, at) =>
        createRule({
          name: `r${at}`,
          accounts: list,
          conditions: { currencies: at % 2 ? ['EUR'] : ['USD'] },
        }),
      );
      const { candidates } = routeOf({ ...facts, currency }, { accounts, rules, has_network });
      expect(candidates.length).toBeLessThanOrEqual(2);
      expect(new Set(candidates).size).toBe(candidates.length);
      const allowed = ['a', 'b', 'c', ...(has_network ? [NETWORK] : [])];
      for (const candidate of candidates) expect(allowed).toContain(candidate);
    },
  );
  fc.assert(property, { seed: SEED });
});
