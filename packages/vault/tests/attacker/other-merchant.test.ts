import { randomUUID } from 'node:crypto';
import { PENDING_ACCOUNTS_QUERY } from '@florin/contract/protocol/pending-accounts.ts';
import type { ProcessorAccountRequest } from '@florin/contract/protocol/processor-accounts.ts';
import type { CardDescription, RelayRequest } from '@florin/contract/protocol/vault.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { acceptPending, listPending } from '../support/consent.ts';
import { startNetwork } from '../support/network.ts';
import { startTestVault, type TestVault } from '../support/vault.ts';

/** The attacker has code in the server, and sends cards of merchant A through the accepted account of merchant B. */
const MERCHANTS = ['merchant-a', 'merchant-b'] as const;
type Merchant = (typeof MERCHANTS)[number];

let processor: Awaited<ReturnType<typeof startNetwork>>;
beforeAll(async () => {
  processor = await startNetwork();
});
afterAll(() => processor?.[Symbol.asyncDispose]());

const login = { headers: { 'x-key': { secret: 'api_key' } } };
const ref = (account_id: string) => ({ account_id, mode: 'sandbox' }) as const;

describe.each([
  ['production', true],
  ['development', false],
] as const)('in %s', (_name, requires_consent) => {
  let vault: TestVault;
  let cards: Record<Merchant, CardDescription>;
  beforeAll(async () => {
    vault = await startTestVault([processor.origin], { requires_consent });
    const [a, b] = [await vault.ingest(), await vault.ingest({ merchant_id: 'merchant-b' })];
    cards = { 'merchant-a': a, 'merchant-b': b };
  });
  afterAll(() => vault?.[Symbol.asyncDispose]());
  beforeEach(async () => {
    await vault.post('/processor-accounts/remove', ref('account'));
    processor.received.length = 0;
  });

  async function store(changes: Partial<ProcessorAccountRequest> = {}): Promise<void> {
    const rule = { origin: processor.origin, method: 'POST', path: '/approve', login } as const;
    const answer = await vault.post('/processor-accounts/store', {
      ...ref('account'),
      origins: [processor.origin],
      egress: [{ ...rule, card_fields: { '/number': 'pan' } }],
      secrets: { api_key: 'sk_live_4f1c0a9b7d2e4a55' },
      ...changes,
    });
    expect(answer.status).toBe(200);
  }

  async function storeAccepted(merchant_id: string | null): Promise<void> {
    await store({ merchant_id });
    if (requires_consent) expect(await acceptPending(vault)).toMatchObject([{ ok: true }]);
  }

  async function relay(
    merchant_id: Merchant,
    { account_id = 'account', hasCard = true } = {},
  ): Promise<string> {
    const { card_pan_token } = cards[merchant_id];
    const card = { card_pan_token, body: { number: null }, card_fields: { '/number': 'pan' } };
    const [answer] = await vault.relay({
      id: randomUUID(),
      merchant_id,
      mode: 'sandbox',
      consumes_cvv: false,
      method: 'POST',
      url: `${processor.origin}/approve`,
      headers: {},
      ...(hasCard ? card : { body: {}, card_fields: {} }),
      credentials: { account_id, ...login },
      timeout_ms: 3_000,
      not_after: Number.MAX_SAFE_INTEGER,
    } as RelayRequest);
    return answer?.outcome === 'not_sent'
      ? `${answer.why}: ${answer.detail}`
      : `${answer?.outcome}`;
  }

  const refusalOf = (account_id: string): string =>
    `account_of_another_merchant: The account ${account_id} is for messages of another merchant only.`;

  const readCount = async (): Promise<number> =>
    JSON.parse((await vault.get('/health')).text).refused_messages.account_of_another_merchant;

  const readAudit = () =>
    vault.database.query('select verb, merchant_id, outcome from vault.audit order by seq');

  test('an account of one merchant sends neither cards nor messages of another one', async () => {
    await storeAccepted('merchant-b');
    const before = await readCount();
    expect(await relay('merchant-a')).toBe(refusalOf('account'));
    expect(await relay('merchant-a', { hasCard: false })).toBe(refusalOf('account'));
    expect(processor.received).toEqual([]);
    expect(await readCount()).toBe(before + 2);
    expect(vault.log.join('')).toContain(
      '"event":"message_refused","why":"account_of_another_merchant"',
    );
    await expect
      .poll(async () => (await readAudit()).at(-1))
      .toEqual({
        verb: 'relay',
        merchant_id: 'merchant-a',
        outcome: `not_sent: account_of_another_merchant, POST ${processor.origin}/approve, account account`,
      });
    expect(await relay('merchant-b')).toBe('answered');
    expect(await relay('merchant-b', { hasCard: false })).toBe('answered');
  });

  test('new secrets of it are checked with messages of its merchant only', async () => {
    await storeAccepted('merchant-b');
    // In production, a candidate that names no merchant has that of the accepted account.
    const merchant_id = requires_consent ? null : 'merchant-b';
    await store({ account_id: 'account-candidate', merchant_id });
    const candidate = { account_id: 'account-candidate', hasCard: false };
    expect(await relay('merchant-a', candidate)).toBe(refusalOf('account-candidate'));
    expect(await relay('merchant-b', candidate)).toBe('answered');
    await vault.post('/processor-accounts/remove', ref('account-candidate'));
  });

  test('an account of every merchant sends cards of all', async () => {
    await storeAccepted(null);
    for (const merchant of MERCHANTS) expect(await relay(merchant)).toBe('answered');
    expect(processor.received).toHaveLength(2);
  });

  test('a server that names no merchant changes none', async () => {
    await storeAccepted('merchant-b');
    await store();
    await vault.post('/processor-accounts/egress', {
      ...ref('account'),
      egress: [{ origin: processor.origin, method: 'POST', path: '/other' }],
    });
    expect(await vault.database.query('select merchant_id from vault.processor_accounts')).toEqual([
      { merchant_id: 'merchant-b' },
    ]);
  });

  test.each(['', 'two words', 7])('a merchant of %j is refused', async (merchant_id) => {
    const answer = await vault.post('/processor-accounts/egress', { ...ref('any'), merchant_id });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('merchant_id must be');
  });

  if (requires_consent) {
    const publish = async (merchant_id: string | null): Promise<void> => {
      const answer = await vault.post('/processor-accounts/egress', {
        ...ref('account'),
        merchant_id,
      });
      expect(answer.status).toBe(200);
    };
    const listLines = async (): Promise<readonly string[]> =>
      (await vault.admin('/rules/list')).sentences;
    const isWaiting = async (): Promise<boolean> =>
      (await vault.database.query(PENDING_ACCOUNTS_QUERY, [1])).length > 0;

    test('a server that opens the account to others needs an operator', async () => {
      await storeAccepted('merchant-b');
      await publish('merchant-a');
      await publish(null);
      await store({ merchant_id: null });
      expect(await isWaiting()).toBe(true);
      expect(await relay('merchant-a')).toBe(refusalOf('account'));
      expect(processor.received).toEqual([]);
      expect(await listLines()).toEqual(
        expect.arrayContaining([
          '  cards of merchant merchant-b only',
          '  NEW cards of every merchant',
        ]),
      );
      expect(await acceptPending(vault)).toMatchObject([{ ok: true }]);
      expect(await relay('merchant-a')).toBe('answered');
    });

    test('after an upgrade, its merchant waits for an operator, and the accepted copy stays', async () => {
      await storeAccepted(null);
      await publish('merchant-b');
      expect(await relay('merchant-a')).toBe('answered');
      expect(await isWaiting()).toBe(true);
      expect(await listLines()).toEqual(
        expect.arrayContaining([
          '  cards of every merchant',
          '  NEW cards of merchant merchant-b only',
        ]),
      );
      const [id] = await listPending(vault);
      // Another merchant in the meantime is not what the operator saw.
      await publish('merchant-c');
      expect(await vault.admin('/rules/accept', { id })).toMatchObject({ ok: false });
      await publish('merchant-b');
      expect(await vault.admin('/rules/accept', { id })).toMatchObject({ ok: true });
      expect(await isWaiting()).toBe(false);
      expect(await relay('merchant-a')).toBe(refusalOf('account'));
      const outcomes = (await readAudit()).map(({ outcome }) => outcome);
      expect(outcomes).toContain('account requested: cards of merchant merchant-b only');
      expect(outcomes).toContainEqual(
        expect.stringMatching(/^account \w+, cards of merchant merchant-b only, 1 egress rules /),
      );
    });

    test('a refused change waits again once the server names another merchant', async () => {
      await storeAccepted('merchant-b');
      await publish(null);
      const [id] = await listPending(vault);
      expect(await vault.admin('/rules/withdraw', { id })).toMatchObject({ ok: true });
      expect([await isWaiting(), await listPending(vault)]).toEqual([false, []]);
      await publish('merchant-a');
      expect(await isWaiting()).toBe(true);
      expect(await relay('merchant-a')).toBe(refusalOf('account'));
    });
  }
});
