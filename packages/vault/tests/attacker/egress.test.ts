import { randomUUID } from 'node:crypto';
import type { ProcessorAccountRequest } from '@florin/contract/protocol/processor-accounts.ts';
import type { CardDescription, RelayRequest } from '@florin/contract/protocol/vault.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startNetwork } from '../support/network.ts';
import { startTestVault, type TestVault } from '../support/vault.ts';

/** The attacker has the server, and asks the vault to send cards to a host of its own. */
let vault: TestVault;
let home: Awaited<ReturnType<typeof startNetwork>>;
beforeAll(async () => {
  home = await startNetwork();
  vault = await startTestVault(['https://processor.example']);
});
afterAll(async () => {
  await vault?.[Symbol.asyncDispose]();
  await home?.[Symbol.asyncDispose]();
});

const messageTo = (url: string, changes: Partial<RelayRequest> = {}): RelayRequest => ({
  id: randomUUID(),
  merchant_id: 'merchant-a',
  mode: 'sandbox',
  consumes_cvv: false,
  method: 'POST',
  url,
  headers: {},
  body: {},
  card_fields: {},
  timeout_ms: 5_000,
  not_after: Number.MAX_SAFE_INTEGER,
  ...changes,
});

const readAudit = async (from = vault) =>
  (await from.database.query(`select verb, outcome from vault.audit order by seq`)).map(
    ({ verb, outcome }) => `${verb} ${outcome}`,
  );

const readRefusals = ({ log }: TestVault) =>
  log.map((line) => JSON.parse(line)).filter(({ event }) => event === 'message_refused');

test('a message to an origin outside of the list is not sent, and log and audit have it, with and without a card', async () => {
  const { card_pan_token } = await vault.ingest();
  const answers = await vault.relay(
    messageTo(home.origin, {
      card_pan_token,
      body: { number: null },
      card_fields: { '/number': 'pan' },
    }),
    messageTo(`${home.origin}/probe`),
    messageTo('https://user:pw@processor.example/'),
    messageTo('nowhere'),
  );
  expect(answers.map((answer) => 'why' in answer && answer.why)).toEqual(
    Array.from({ length: 4 }, () => 'egress_not_allowed'),
  );
  expect(home.received).toEqual([]);
  const refusals = readRefusals(vault);
  expect(refusals.map(({ level, detail }) => [level, detail])).toEqual([
    [50, `VAULT_EGRESS has no ${home.origin}.`],
    [50, `VAULT_EGRESS has no ${home.origin}.`],
    [50, 'The address at https://processor.example has a login.'],
    [50, 'The message has no address.'],
  ]);
  await expect
    .poll(() => readAudit())
    .toEqual(['ingest stored', ...refusals.map(() => 'relay not_sent: egress_not_allowed')]);
});

describe('a vault of production, whose list has a processor that the attacker has an account at', () => {
  const ACCOUNT = { account_id: 'account-1', mode: 'sandbox' } as const;
  const LOGIN = { authorization: 'Basic bWU6bWluZQ==' };
  let production: TestVault;
  let card: CardDescription;
  beforeAll(async () => {
    production = await startTestVault([home.origin, 'https://other.example'], {
      requires_card_rules: true,
    });
    card = await production.ingest();
  });
  afterAll(() => production?.[Symbol.asyncDispose]());

  const store = (changes: Partial<ProcessorAccountRequest>) =>
    production.post('/processor-accounts/store', {
      ...ACCOUNT,
      origins: [home.origin],
      secrets: { api_key: 'sk_live_4f1c0a9b7d2e4a55' },
      ...changes,
    });

  const withCard = (changes: Partial<RelayRequest> = {}) => {
    const { card_pan_token, card_cvv_token } = card;
    return messageTo(`${home.origin}/approve`, {
      card_pan_token,
      ...(card_cvv_token && { card_cvv_token }),
      consumes_cvv: true,
      body: { orderId: null, cvv: null },
      card_fields: { '/orderId': 'pan', '/cvv': 'cvv' },
      ...changes,
    });
  };
  const byAccount = { account_id: ACCOUNT.account_id, headers: { 'x-key': { secret: 'api_key' } } };

  /** Sends a message, and returns its answer if the vault logged and recorded the refusal. */
  async function relayRefused(message: RelayRequest) {
    const logged = readRefusals(production).length;
    const [answer] = await production.relay(message);
    expect(home.received).toEqual([]);
    const why = answer && 'why' in answer ? answer.why : '';
    const detail = answer && 'detail' in answer ? answer.detail : '';
    expect(readRefusals(production).slice(logged)).toMatchObject([{ level: 50, why, detail }]);
    const verb = message.consumes_cvv ? 'authorise' : 'relay';
    await expect
      .poll(async () => (await readAudit(production)).at(-1))
      .toBe(`${verb} not_sent: ${why}`);
    return `${why}: ${detail}`;
  }

  test.each<[string, Partial<RelayRequest>]>([
    ['a login of the attacker', { headers: LOGIN }],
    ['no login', { consumes_cvv: false }],
    ['a proof of a network token', { card_cryptogram_token: 'cryptogram_1' }],
    ['only a verification value', { body: { cvv: null }, card_fields: { '/cvv': 'cvv' } }],
    ['no place for the card', { card_fields: {} }],
  ])('sends no card without an account: %s', async (_name, changes) => {
    expect(await relayRefused(withCard(changes))).toBe(
      'card_without_rules: The message names no account, and has a card.',
    );
  });

  test('sends no card for an account without rules', async () => {
    expect((await store({})).status).toBe(200);
    expect(await relayRefused(withCard({ headers: LOGIN, credentials: byAccount }))).toBe(
      'card_without_rules: The account has no egress rules, and the message has a card.',
    );
  });

  test('sends no card and no secret to the origin of another account', async () => {
    await store({ origins: ['https://other.example'] });
    const { body: _, ...other } = withCard({ credentials: byAccount });
    for (const message of [other, messageTo(home.origin, { credentials: byAccount })])
      expect(await relayRefused(message)).toBe(
        `origin_of_another_account: The account does not have ${home.origin}.`,
      );
  });

  test('sends a card that the rules of the account allow, and messages without a card', async () => {
    const rule = { origin: home.origin, method: 'POST', path: '/approve' } as const;
    await store({ egress: [{ ...rule, card_fields: { '/number': 'pan', '/cvv': 'cvv' } }] });
    const message = withCard({
      body: { number: null, cvv: null },
      card_fields: { '/number': 'pan', '/cvv': 'cvv' },
      credentials: byAccount,
    });
    const plain = messageTo(`${home.origin}/approve`);
    const answers = await production.relay(message, plain);
    expect(answers.map(({ outcome }) => outcome)).toEqual(['answered', 'answered']);
    // The refused messages before used no verification value up.
    expect(home.received.map(({ body }) => JSON.parse(body).cvv).toSorted()).toEqual([
      '987',
      undefined,
    ]);
  });
});
