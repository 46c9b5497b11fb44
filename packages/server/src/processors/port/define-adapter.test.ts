import { describe, expect, it } from 'vitest';
import { metadata } from '../sandbox/metadata.ts';
import { egressCases } from './conformance-egress.ts';
import { type AdapterParts, defineAdapter } from './define-adapter.ts';
import type { WireRequest } from './message.ts';
import type { AccountSettings } from './metadata.ts';

const requestTo = (url: string): WireRequest => ({
  method: 'POST',
  url,
  headers: {},
  timeout_ms: 1,
});
const unknown = () => ({ result: 'unknown', why: 'test' }) as const;
const parts: AdapterParts = {
  metadata,
  origins: ({ settings }) => [settings.origin as string],
  mapRequest: {
    authorise: ({ id }) => ({
      ...requestTo(`https://a.example/${id}`),
      method: 'POST',
      body: {},
      card_fields: {},
    }),
    reverse: (_, { attempt_id }) => requestTo(`https://a.example/reverse/${attempt_id}`),
    capture: (_, { demand_id }) => requestTo(`https://a.example/capture/${demand_id}`),
    refund: (_, { demand_id }) => requestTo(`https://a.example/refund/${demand_id}`),
    check: () => requestTo('https://a.example/check'),
    inquireRefund: (_, { demand_id }) => requestTo(`https://a.example/find/${demand_id}`),
  },
  mapAnswer: {
    authorise: unknown,
    reverse: unknown,
    capture: unknown,
    refund: unknown,
    check: () => ({ result: 'accepted' }),
    inquireRefund: () => ({ result: 'not_found' }),
  },
};
const account = {
  id: 'account-1',
  mode: 'sandbox',
  settings: { origin: 'https://a.example' },
} as const;
const followUp = {
  demand_id: 'd1',
  attempt_id: 'a1',
  amount: 1,
  currency: 'EUR',
  idempotency_key: 'k',
};

it('an account whose contract fixes its currencies takes no others', () => {
  const currenciesOf = () => ['USD'];
  const adapter = defineAdapter({ ...parts, metadata: { ...metadata, currenciesOf } });
  expect(adapter.connect(account).metadata.currencies).toEqual(['USD']);
  expect(defineAdapter(parts).connect(account).metadata.currencies).toBe('all');
});

it('an account whose contract decides about several captures says so', () => {
  const takesSeveralCaptures = ({ settings }: Pick<AccountSettings, 'settings'>) =>
    settings.several_captures === 'yes';
  const adapter = defineAdapter({ ...parts, metadata: { ...metadata, takesSeveralCaptures } });
  const takesSeveral = (settings: Record<string, string>) =>
    adapter.connect({ ...account, settings }).metadata.capabilities.several_captures;
  expect([takesSeveral({ several_captures: 'yes' }), takesSeveral({})]).toEqual([true, false]);
  const { capabilities } = defineAdapter(parts).connect(account).metadata;
  expect(capabilities).toEqual(metadata.capabilities);
});

it('an account is connected with the operations that its adapter has, and no others', () => {
  const { authorise, capture, check, inquire, refund } = defineAdapter(parts).connect(account);
  const input = {
    attempt_id: 'a1',
    amount: 1,
    currency: 'EUR',
    capture: true,
    idempotency_key: 'k',
  };
  expect(authorise.mapRequest(input).url).toBe('https://a.example/account-1');
  expect(refund.inquire?.mapRequest(followUp).url).toBe('https://a.example/find/d1');
  expect(refund.inquire?.mapAnswer({ outcome: 'lost', why: 'timeout' }).result).toBe('not_found');
  expect(capture.send.mapRequest(followUp).url).toBe('https://a.example/capture/d1');
  expect(check.mapRequest().url).toBe('https://a.example/check');
  expect([inquire, capture.inquire]).toEqual([undefined, undefined]);
});

it.each([
  [true, undefined],
  [false, false],
])(
  'an approval by a processor with direct_capture %s has captured %s',
  (direct_capture, captured) => {
    const capabilities = { ...metadata.capabilities, direct_capture };
    const approval = {
      result: 'approved',
      authorisation_code: 'A1',
      network_transaction_id: null,
      cvc2_check: 'match',
      address_line1_verification: 'match',
      postal_code_verification: 'match',
    } as const;
    const { authorise } = defineAdapter({
      ...parts,
      metadata: { ...metadata, capabilities },
      mapAnswer: { ...parts.mapAnswer, authorise: () => approval },
    }).connect(account);
    const result = authorise.mapAnswer({ outcome: 'answered', status: 200, body: {} });
    expect(result.result === 'approved' && result.captured).toBe(captured);
  },
);

it('messages have the codecs of their adapter, unless they name another', () => {
  const adapter = defineAdapter({
    ...parts,
    codecs: { codec: 'xml', answer_codec: 'xml' },
    mapRequest: {
      ...parts.mapRequest,
      refund: () => ({ ...requestTo('https://a.example/refund'), codec: 'json' }),
    },
  });
  const { check, refund } = adapter.connect(account);
  expect(check.mapRequest()).toMatchObject({ codec: 'xml', answer_codec: 'xml' });
  expect(refund.send.mapRequest(followUp)).toMatchObject({ codec: 'json', answer_codec: 'xml' });
});

const example = { ...followUp, capture: true, processor_reference: 'p1' };

describe('egress rules', () => {
  const login = { headers: { 'x-key': { secret: 'api_key' } } };
  const post = (path: string) =>
    ({ origin: 'https://a.example', method: 'POST', path, login }) as const;
  const rules = [post('/account-1'), post('/*/*'), post('/check')];
  const capabilities = { ...metadata.capabilities, network_tokens: ['visa'] } as const;
  const signed = {
    ...parts,
    metadata: { ...metadata, capabilities },
    mapRequest: Object.fromEntries(
      Object.entries(parts.mapRequest).map(([name, map]) => [
        name,
        (owner: typeof account, input: never) => ({
          ...map(owner, input),
          credentials: { account_id: owner.id, ...login },
        }),
      ]),
    ) as unknown as AdapterParts['mapRequest'],
  };
  const faultsOf = (tested: AdapterParts): string[] =>
    egressCases(defineAdapter(tested).connect(account), example).flatMap(({ name, run }) => {
      try {
        run();
        return [];
      } catch (error) {
        return [`${name}: ${(error as Error).message.split('\n')[0]}`];
      }
    });

  it('are checked with every message of an adapter that has them', () => {
    expect(egressCases(defineAdapter(parts).connect(account), example)).toEqual([]);
    expect(faultsOf({ ...signed, egress: () => rules })).toEqual([]);
    const open = rules.map((rule) => ({ ...rule, query: ['api_key'] }));
    expect(faultsOf({ ...signed, egress: () => open })[0]).toContain('let no other through');
    const refused = faultsOf({ ...signed, egress: () => rules.slice(1) });
    expect(refused.map((fault) => fault.split(':')[0])).toEqual([
      'the egress rules allow authorise',
      'the egress rules allow authorise a hold',
      'the egress rules allow authorise of a merchant',
      'the egress rules allow authorise with apple_pay',
      'the egress rules allow authorise with google_pay',
      'the egress rules allow authorise with a network token of visa',
      'the egress rules allow authorise with an authenticated network token of visa',
      'the egress rules allow authorise with a stored network token of visa',
    ]);
  });

  it('need messages that name the account', () => {
    const faults = faultsOf({ ...parts, egress: () => rules });
    expect(faults).toContain('the egress rules allow check: the message names no account');
  });
});
