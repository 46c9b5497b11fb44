import { randomUUID } from 'node:crypto';
import type {
  EgressRule,
  ProcessorAccountRequest,
} from '@florin/contract/protocol/processor-accounts.ts';
import type { CardDescription, RelayRequest } from '@florin/contract/protocol/vault.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { acceptPending } from '../support/consent.ts';
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
    .toEqual([
      'ingest stored',
      ...refusals.map(() => expect.stringMatching(/^relay not_sent: egress_not_allowed/)),
    ]);
});

describe('a vault of production, whose list has a processor that the attacker has an account at', () => {
  const ACCOUNT = { account_id: 'account-1', mode: 'sandbox' } as const;
  const LOGIN = { authorization: 'Basic bWU6bWluZQ==' };
  let production: TestVault;
  let card: CardDescription;
  beforeAll(async () => {
    production = await startTestVault([home.origin, 'https://other.example'], {
      requires_consent: true,
    });
    card = await production.ingest();
  });
  afterAll(() => production?.[Symbol.asyncDispose]());

  /** Stores an account that an operator accepts. */
  async function store(changes: Partial<ProcessorAccountRequest>): Promise<void> {
    const answer = await production.post('/processor-accounts/store', {
      ...ACCOUNT,
      origins: [home.origin],
      secrets: { api_key: 'sk_live_4f1c0a9b7d2e4a55' },
      ...changes,
    });
    expect(answer.status).toBe(200);
    expect(await acceptPending(production)).toMatchObject([{ ok: true }]);
  }

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
  const ruleTo = (origin: string): EgressRule => ({
    origin,
    method: 'POST',
    path: '/approve',
    login: { headers: byAccount.headers },
  });
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
      .toMatch(new RegExp(`^${verb} not_sent: ${why}`));
    return `${why}: ${detail}`;
  }

  test.each<[string, Partial<RelayRequest>]>([
    ['a login of the attacker', { headers: LOGIN }],
    ['no login', { consumes_cvv: false }],
    ['a proof of a network token', { card_cryptogram_token: 'cryptogram_1' }],
  ])('sends no card without an account: %s', async (_name, changes) => {
    expect(await relayRefused(withCard(changes))).toBe(
      'card_without_rules: The message names no account.',
    );
  });

  test('sends no card for an account without rules', async () => {
    // Such an account is from before an upgrade: operators can no longer accept one.
    await store({ egress: [ruleTo(home.origin)] });
    await production.database.query('update vault.accepted_accounts set egress = null');
    expect(await relayRefused(withCard({ headers: LOGIN, credentials: byAccount }))).toBe(
      'card_without_rules: The account has no egress rules, and the message has a card.',
    );
  });

  test('sends no card and no secret to the origin of another account', async () => {
    const origins = ['https://other.example'];
    await store({ origins, egress: [ruleTo('https://other.example')] });
    const { body: _, ...other } = withCard({ credentials: byAccount });
    for (const message of [other, messageTo(home.origin, { credentials: byAccount })])
      expect(await relayRefused(message)).toBe(
        `origin_of_another_account: The account does not have ${home.origin}.`,
      );
  });

  test('sends a card that the rules of the account allow, and no message without an account', async () => {
    const card_fields = { '/number': 'pan', '/cvv': 'cvv' } as const;
    await store({ egress: [{ ...ruleTo(home.origin), card_fields }] });
    const message = withCard({
      body: { number: null, cvv: null },
      card_fields: { '/number': 'pan', '/cvv': 'cvv' },
      credentials: byAccount,
    });
    const plain = messageTo(`${home.origin}/approve`);
    const answers = await production.relay(message, plain);
    expect(answers.map(({ outcome }) => outcome).toSorted()).toEqual(['answered', 'not_sent']);
    // The refused messages before used no verification value up.
    expect(home.received.map(({ body }) => JSON.parse(body).cvv)).toEqual(['987']);
  });
});

test('each refusal counts in the health of the vault, whoever sent the message', async () => {
  const readCounts = async () => JSON.parse((await vault.get('/health')).text).refused_messages;
  const before = await readCounts();
  await vault.relay(messageTo(home.origin));
  await vault.post('/relay', { requests: [{}] });
  await vault.post('/relay', { requests: [{}] });
  await vault.post('/rotate', { key: 'root' });
  expect(await readCounts()).toEqual({
    ...before,
    egress_not_allowed: before.egress_not_allowed + 1,
    bad_request: before.bad_request + 2,
    unknown_path: before.unknown_path + 1,
  });
  // Calls without a message raise one alarm a minute.
  await expect
    .poll(() => readAudit())
    .toEqual(expect.arrayContaining(['call refused: bad_request', 'call refused: unknown_path']));
  expect((await readAudit()).filter((entry) => entry === 'call refused: bad_request')).toHaveLength(
    1,
  );
});

test('a call in one mode for a card of the other is unknown, and counts', async () => {
  const { card_pan_token } = await vault.ingest({ mode: 'live' });
  const readCount = async () =>
    JSON.parse((await vault.get('/health')).text).refused_messages.card_of_other_mode;
  const before = await readCount();
  const scope = { merchant_id: 'merchant-a', mode: 'sandbox' };
  for (const path of ['/describe', '/attach', '/destroy'])
    expect((await vault.post(path, { ...scope, card_pan_token })).text, path).toContain(
      'unknown_token',
    );
  const [answer] = await vault.relay(
    messageTo('https://processor.example/', { card_pan_token, card_fields: { '/a': 'pan' } }),
  );
  expect(answer).toMatchObject({ outcome: 'not_sent', why: 'unknown_token' });
  await vault.post('/describe', { ...scope, card_pan_token: 'pan_nobody' });
  await expect.poll(readCount).toBe(before + 4);
  await expect.poll(() => readAudit()).toContain('call refused: card_of_other_mode');
});
