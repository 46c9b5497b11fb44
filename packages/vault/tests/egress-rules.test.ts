import type {
  EgressRule,
  ProcessorAccountRequest,
} from '@florin/contract/protocol/processor-accounts.ts';
import type { CardDescription, RelayRequest } from '@florin/contract/protocol/vault.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { useVault, type VaultContext } from './support/use-vault.ts';
import { errorOf } from './support/vault.ts';

const API_KEY = 'sk_live_4f1c0a9b7d2e4a55';
const ref = { account_id: 'account-1', mode: 'sandbox' } as const;

let context: VaultContext;
let card: CardDescription;
useVault((started) => {
  context = started;
});
beforeEach(async () => {
  await context.vault.post('/processor-accounts/remove', ref);
  card = await context.vault.ingest();
});

const approveRule = (): EgressRule => ({
  origin: context.network.origin,
  method: 'POST',
  path: '/approve',
  card_fields: { '/card/number': 'pan', '/card/cvv': 'cvv' },
});

async function store(changes: Partial<ProcessorAccountRequest> = {}): Promise<void> {
  const secrets = { api_key: API_KEY };
  const request = { ...ref, origins: [context.network.origin], secrets, ...changes };
  expect(await context.vault.post('/processor-accounts/store', request)).toMatchObject({
    status: 200,
  });
}

const storeRules = (egress: readonly EgressRule[], changes: object = {}) =>
  context.vault.post('/processor-accounts/egress', { ...ref, egress, ...changes });

const createRequest = (path: string, changes: Partial<RelayRequest> = {}): RelayRequest => ({
  id: 'attempt-1',
  merchant_id: 'merchant-a',
  mode: 'sandbox',
  card_pan_token: card.card_pan_token,
  card_cvv_token: card.card_cvv_token!,
  consumes_cvv: true,
  method: 'POST',
  url: context.network.origin + path,
  headers: {},
  body: { card: { number: null, cvv: null }, memo: null },
  card_fields: { '/card/number': 'pan', '/card/cvv': 'cvv' },
  credentials: { account_id: ref.account_id, headers: { 'x-key': { secret: 'api_key' } } },
  timeout_ms: 3_000,
  not_after: Number.MAX_SAFE_INTEGER,
  ...changes,
});

/** Outcome of a request, with the reason and detail if it was not sent. */
async function relay(path: string, changes: Partial<RelayRequest> = {}): Promise<string> {
  const [answer] = await context.vault.relay(createRequest(path, changes));
  return answer?.outcome === 'not_sent' ? `${answer.why}: ${answer.detail}` : `${answer?.outcome}`;
}

describe('an account with egress rules', () => {
  test('sends the messages that they allow', async () => {
    await store({ egress: [approveRule()] });
    expect(await relay('/approve')).toBe('answered');
    expect(JSON.parse(context.network.received[0]!.body).card.cvv).toBe('987');
  });

  test('sends nothing elsewhere, says what it refused, and keeps the verification value', async () => {
    await store({ egress: [approveRule()] });
    const refusal = `egress_not_declared: No egress rule of the account allows POST ${context.network.origin}/decline.`;
    expect(await relay('/decline')).toBe(refusal);
    const { log } = context.vault;
    expect(log.at(-2)).toContain('"event":"message_refused","why":"egress_not_declared"');
    expect(context.network.received).toHaveLength(0);
    await relay('/approve');
    expect(JSON.parse(context.network.received[0]!.body).card.cvv).toBe('987');
  });

  test('sends no card at another place of the body', async () => {
    await store({ egress: [approveRule()] });
    expect(await relay('/approve', { card_fields: { '/memo': 'pan' } })).toBe(
      `place_not_declared: The egress rules of POST ${context.network.origin}/approve do not allow pan at /memo.`,
    );
    expect(context.network.received).toHaveLength(0);
  });

  test('keeps them when a secret changes, and loses them with its origins', async () => {
    await store({ egress: [approveRule()] });
    await store({ secrets: { api_key: `${API_KEY}2` } });
    expect(await relay('/decline')).toContain('egress_not_declared');
    await store({ origins: [context.network.origin, 'https://a.example'] });
    expect(await relay('/decline')).toBe('answered');
  });

  test('gets other rules without losing its secrets, and the audit says so once', async () => {
    await store({ egress: [approveRule()] });
    const rules = [approveRule(), { ...approveRule(), path: '/decline' }];
    expect((await storeRules(rules)).status).toBe(200);
    await storeRules(rules);
    expect(await relay('/decline')).toBe('answered');
    expect(context.network.received[0]?.headers['x-key']).toBe(API_KEY);
    const entries = await context.vault.database.query(
      `select outcome from vault.audit where verb = 'processor_account' order by seq desc limit 4`,
    );
    expect(entries.map(({ outcome }) => String(outcome).replace(/[0-9a-f]{64}$/, '#'))).toEqual([
      'account-1 2 egress rules #',
      'account-1 requested: 2 egress rules #',
      'account-1 stored: api_key, 1 egress rules #',
      'account-1 requested: store api_key, 1 egress rules #',
    ]);
  });

  test('has none of another mode, and rules make no account', async () => {
    await store({ egress: [approveRule()] });
    expect(
      (await storeRules([{ ...approveRule(), path: '/decline' }], { mode: 'live' })).status,
    ).toBe(200);
    expect(await relay('/decline')).toContain('egress_not_declared');
    expect(await relay('/decline', { mode: 'live' })).toBe(
      'credential_missing: The vault has no such account.',
    );
  });
});

test('an account without egress rules sends to any path of its origins', async () => {
  await store();
  expect(await relay('/decline')).toBe('answered');
});

test('the list of the operator decides before the rules of an account', async () => {
  const origin = 'https://elsewhere.example';
  await store({ origins: [origin], egress: [{ ...approveRule(), origin }] });
  expect(await relay('/approve', { url: `${origin}/approve` })).toContain('egress_not_allowed');
});

test.each<[string, object, string]>([
  ['no rule', { egress: [] }, 'egress must be a list of 1 to 64.'],
  [
    'a path with a query',
    { egress: [{ origin: 'https://a.example', method: 'GET', path: '/a?b=c' }] },
    'egress[0].path must be a path such as /payments/* without a query.',
  ],
  [
    'a part of a segment',
    { egress: [{ origin: 'https://a.example', method: 'GET', path: '/a/pay_*' }] },
    'egress[0].path must be a path such as /payments/* without a query.',
  ],
  [
    'an unknown method',
    { egress: [{ origin: 'https://a.example', method: 'TRACE', path: '/' }] },
    'egress[0].method must be GET or POST or PUT or PATCH or DELETE.',
  ],
  [
    'a place that is no pointer',
    {
      egress: [
        { origin: 'https://a.example', method: 'POST', path: '/', card_fields: { a: 'pan' } },
      ],
    },
    'egress[0].card_fields must have JSON pointers of 2 to 256 printable characters.',
  ],
  [
    'an origin without encryption',
    { egress: [{ origin: 'http://a.example', method: 'POST', path: '/' }] },
    'egress[0].origin must begin with https://, or be on this machine.',
  ],
  [
    'an account without encryption',
    { origins: ['http://a.example'] },
    'origins[0] must begin with https://, or be on this machine.',
  ],
])('rules with %s are refused', async (_name, changes, detail) => {
  const request = { ...ref, origins: ['https://a.example'], secrets: {}, ...changes };
  const answer = await context.vault.post('/processor-accounts/store', request);
  expect([answer.status, errorOf(answer).detail]).toEqual([400, detail]);
});
