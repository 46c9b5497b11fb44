import { randomUUID } from 'node:crypto';
import { PENDING_ACCOUNTS_QUERY } from '@florin/contract/protocol/pending-accounts.ts';
import type {
  EgressRule,
  ProcessorAccountRequest,
} from '@florin/contract/protocol/processor-accounts.ts';
import type { CardDescription, RelayRequest } from '@florin/contract/protocol/vault.ts';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { selectAcceptedAccounts } from '../../src/consent/accepted-accounts.ts';
import { createPendingCount } from '../../src/consent/pending-accounts.ts';
import { openDatabase } from '../../src/store/db.ts';
import { migrate, readVaultHistory } from '../../src/store/migrate.ts';
import { acceptPending, listPending } from '../support/consent.ts';
import { startNetwork } from '../support/network.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { startTestVault, type TestVault } from '../support/vault.ts';

/** The attacker has code in the server of production, and stores accounts, rules and logins at the vault. */
let vault: TestVault;
let processor: Awaited<ReturnType<typeof startNetwork>>;
let own: Awaited<ReturnType<typeof startNetwork>>;
let card: CardDescription;
beforeAll(async () => {
  [processor, own] = [await startNetwork(), await startNetwork()];
  // Both hosts are in the list of the operator: the attacker has an account at a listed processor.
  vault = await startTestVault([processor.origin, own.origin], { requires_consent: true });
  card = await vault.ingest();
});
afterAll(async () => {
  await vault?.[Symbol.asyncDispose]();
  await processor?.[Symbol.asyncDispose]();
  await own?.[Symbol.asyncDispose]();
});

const SECRET = 'sk_live_4f1c0a9b7d2e4a55';
const ref = (account_id: string) => ({ account_id, mode: 'sandbox' }) as const;
const login = { headers: { 'x-key': { secret: 'api_key' } } };

const ruleTo = (origin: string, changes: Partial<EgressRule> = {}): EgressRule => ({
  origin,
  method: 'POST',
  path: '/approve',
  card_fields: { '/number': 'pan' },
  login,
  headers: ['idempotency-key'],
  ...changes,
});

async function store(account_id: string, changes: Partial<ProcessorAccountRequest> = {}) {
  const [origins, secrets] = [[processor.origin], { api_key: SECRET }];
  const egress = [ruleTo(processor.origin)];
  const request = { ...ref(account_id), origins, egress, secrets, ...changes };
  expect((await vault.post('/processor-accounts/store', request)).status).toBe(200);
}

const messageOf = (account_id: string, changes: Partial<RelayRequest> = {}): RelayRequest => ({
  id: randomUUID(),
  merchant_id: 'merchant-a',
  mode: 'sandbox',
  card_pan_token: card.card_pan_token,
  consumes_cvv: false,
  method: 'POST',
  url: `${processor.origin}/approve`,
  headers: {},
  body: { number: null },
  card_fields: { '/number': 'pan' },
  credentials: { account_id, ...login },
  timeout_ms: 3_000,
  not_after: Number.MAX_SAFE_INTEGER,
  ...changes,
});

async function relay(account_id: string, changes: Partial<RelayRequest> = {}): Promise<string> {
  const [answer] = await vault.relay(messageOf(account_id, changes));
  return answer?.outcome === 'not_sent' ? `${answer.why}: ${answer.detail}` : `${answer?.outcome}`;
}

const withoutCard = (changes: Partial<RelayRequest> = {}): Partial<RelayRequest> =>
  ({ card_pan_token: undefined, card_fields: {}, body: {}, ...changes }) as Partial<RelayRequest>;

const readAudit = async () =>
  (await vault.database.query('select actor, verb, outcome from vault.audit order by seq')).map(
    ({ actor, verb, outcome }) => `${actor} ${verb} ${outcome}`,
  );

const readHealth = async () => JSON.parse((await vault.get('/health')).text);

const NOT_ACCEPTED =
  'account_not_accepted: No operator has accepted the account. Run "vault rules list" on the machine of the vault.';

describe('an account that only the server knows', () => {
  test('gets no card at its own host, and the operator is told', async () => {
    const before = (await readHealth()).refused_messages.account_not_accepted;
    await store('mine', {
      origins: [own.origin],
      egress: [ruleTo(own.origin, { path: '/home', card_fields: { '/memo': 'pan' } })],
    });
    const message = {
      url: `${own.origin}/home`,
      body: { memo: null },
      card_fields: { '/memo': 'pan' },
    } as const;
    expect(await relay('mine', message)).toBe(NOT_ACCEPTED);
    expect(await relay('mine', withoutCard({ url: `${own.origin}/home` }))).toBe(NOT_ACCEPTED);
    expect(own.received).toEqual([]);
    vault.clock.now += 20_000;
    expect(await readHealth()).toMatchObject({
      pending_accounts: 1,
      refused_messages: { account_not_accepted: before + 2 },
    });
    expect(vault.log.join('')).toContain('"event":"message_refused","why":"account_not_accepted"');
    await expect
      .poll(readAudit)
      .toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^server processor_account mine stored: api_key, 1 egress rules/),
          `server relay not_sent: account_not_accepted, POST ${own.origin}/home, account mine`,
        ]),
      );
  });

  test('cannot be accepted over the socket of the server', async () => {
    const [id] = await listPending(vault);
    expect((await vault.post('/rules/accept', { id })).status).toBe(404);
    expect(await relay('mine', { url: `${own.origin}/home` })).toBe(NOT_ACCEPTED);
    await vault.post('/processor-accounts/remove', ref('mine'));
  });
});

describe('an account that an operator accepted', () => {
  beforeEach(async () => {
    await vault.post('/processor-accounts/remove', ref('theirs'));
    await store('theirs');
    expect(await acceptPending(vault)).toMatchObject([{ ok: true }]);
    processor.received.length = 0;
    own.received.length = 0;
  });
  afterAll(() => vault.post('/processor-accounts/remove', ref('theirs')));

  test('sends cards with its login, as an audit entry of the operator allows', async () => {
    expect(await relay('theirs', { headers: { 'idempotency-key': 'a' } })).toBe('answered');
    expect(processor.received[0]?.headers['x-key']).toBe(SECRET);
    const entries = (await readAudit()).filter((entry) =>
      entry.startsWith('operator accept_rules'),
    );
    expect(entries.slice(-2)).toEqual([
      expect.stringMatching(
        /^operator accept_rules requested: theirs \w{64}, cards of every merchant, 1 egress rules \w{64}, secrets api_key$/,
      ),
      expect.stringMatching(
        /^operator accept_rules theirs \w{64}, cards of every merchant, 1 egress rules \w{64}, secrets api_key$/,
      ),
    ]);
  });

  test.each<[string, Partial<RelayRequest>, string]>([
    [
      'a login of the attacker in a header',
      { headers: { authorization: 'Basic bWU6bWluZQ==' } },
      'the header authorization.',
    ],
    ['no login', { credentials: { account_id: 'theirs', headers: {} } }, 'another login.'],
    [
      'its login as a prefix of another text',
      {
        credentials: {
          account_id: 'theirs',
          headers: { 'x-key': { prefix: 'mine ', secret: 'api_key' } },
        },
      },
      'another login.',
    ],
  ])('sends no card with %s', async (_name, changes, end) => {
    expect(await relay('theirs', changes)).toBe(
      `login_not_declared: The egress rules of POST ${processor.origin}/approve do not allow ${end}`,
    );
    expect(processor.received).toEqual([]);
  });

  test.each<[string, Partial<RelayRequest>, string]>([
    [
      'another login beside its own',
      { headers: { authorization: 'Bearer mine' } },
      'the header authorization',
    ],
    [
      'another path in a header',
      { headers: { 'x-original-url': '/forward' } },
      'the header x-original-url',
    ],
    [
      'a charset for the answer',
      { headers: { accept: 'application/json;charset=utf-16' } },
      'the header accept',
    ],
    [
      'its secret in another header',
      { credentials: { account_id: 'theirs', headers: { 'user-agent': { secret: 'api_key' } } } },
      'another login',
    ],
    ['another format', { codec: 'form_dots' }, 'the format form_dots'],
    [
      'a content type of another format',
      { headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      'the header content-type',
    ],
    [
      'a charset of its own',
      { headers: { 'content-type': 'application/json; charset=gbk' } },
      'the header content-type',
    ],
    ['an inherited name as a header', { headers: { constructor: 'a' } }, 'the header constructor'],
  ])('sends no message without a card with %s', async (_name, changes, what) => {
    expect(await relay('theirs', withoutCard(changes))).toBe(
      `login_not_declared: The egress rules of POST ${processor.origin}/approve do not allow ${what}.`,
    );
    expect(processor.received).toEqual([]);
  });

  test('sends no message of nobody', async () => {
    const { credentials: _, ...message } = { ...messageOf('theirs'), ...withoutCard() };
    expect(await vault.relay(message)).toMatchObject([
      { outcome: 'not_sent', why: 'card_without_rules', detail: 'The message names no account.' },
    ]);
    expect(processor.received).toEqual([]);
  });

  test('keeps its rules while changed ones wait', async () => {
    const rules = [ruleTo(processor.origin, { card_fields: { '/memo': 'pan' } })];
    await vault.post('/processor-accounts/egress', { ...ref('theirs'), egress: rules });
    const toMemo = { body: { memo: null }, card_fields: { '/memo': 'pan' } } as const;
    expect(await relay('theirs', toMemo)).toContain('place_not_declared');
    expect(await relay('theirs')).toBe('answered');
    expect(await listPending(vault)).toHaveLength(1);
    await acceptPending(vault);
    expect(await relay('theirs', toMemo)).toBe('answered');
  });

  test('keeps its login while another one waits', async () => {
    await store('theirs', { secrets: { api_key: 'login of the attacker' } });
    await relay('theirs');
    expect(processor.received.map(({ headers }) => headers['x-key'])).toEqual([SECRET]);
    await acceptPending(vault);
    await relay('theirs');
    expect(processor.received[1]?.headers['x-key']).toBe('login of the attacker');
  });

  test('keeps its address while another one waits, and sends its login nowhere else', async () => {
    await store('theirs', { origins: [own.origin], egress: [ruleTo(own.origin)] });
    for (const message of [{}, withoutCard()])
      expect(await relay('theirs', { ...message, url: `${own.origin}/approve` })).toBe(
        `origin_of_another_account: The account does not have ${own.origin}.`,
      );
    expect(own.received).toEqual([]);
    expect(await relay('theirs')).toBe('answered');
  });

  test('checks new secrets at its own address only, and never with a card', async () => {
    await store('theirs-candidate', { secrets: { api_key: 'a new login of it' } });
    const message = withoutCard({ credentials: { account_id: 'theirs-candidate', ...login } });
    expect(await relay('theirs-candidate')).toBe(NOT_ACCEPTED);
    expect(await relay('theirs-candidate', message)).toBe('answered');
    expect(processor.received.map(({ headers }) => headers['x-key'])).toEqual([
      'a new login of it',
    ]);
    expect(await relay('theirs-candidate', { ...message, url: `${own.origin}/approve` })).toContain(
      'origin_of_another_account',
    );
    await vault.post('/processor-accounts/remove', ref('theirs-candidate'));
  });

  test('leaves an audit entry of each message that carries its login', async () => {
    expect(await relay('theirs', withoutCard({ body: {} }))).toBe('answered');
    await expect
      .poll(async () => (await readAudit()).at(-1))
      .toBe(`server relay answered, POST ${processor.origin}/approve, account theirs`);
  });

  test('keeps its login through a rotation of the root key', async () => {
    expect(await vault.admin('/rotate', { key: 'root' })).toMatchObject({ ok: true });
    const rows = await vault.database.query(
      `select root_version = (select max(version) from vault.root_keys) as is_newest
       from vault.accepted_secrets`,
    );
    expect(rows).toEqual([{ is_newest: true }]);
    expect(await relay('theirs')).toBe('answered');
  });

  test('loses a removed secret at once, and everything when it is withdrawn', async () => {
    await store('theirs', { secrets: { api_key: null } });
    expect(await relay('theirs')).toContain('credential_missing');
    await store('theirs');
    const [accepted] = await acceptPending(vault);
    const id = /Accepted (\w+)/.exec(accepted?.sentences.join() ?? '')?.[1];
    const dry = await vault.admin('/rules/withdraw', { id, dry_run: true });
    expect(dry.sentences.join()).toContain('Nothing was changed.');
    expect(await relay('theirs')).toBe('answered');
    for (const sentence of ['Withdrew', 'does not wait'])
      expect(await vault.admin('/rules/withdraw', { id })).toMatchObject({
        ok: true,
        sentences: [expect.stringContaining(sentence)],
      });
    expect(await relay('theirs')).toBe(NOT_ACCEPTED);
    const entries = (await readAudit()).filter((entry) => entry.includes('withdraw_rules'));
    expect(entries.at(-1)).toMatch(/^operator withdraw_rules theirs/);
  });
});

describe('an operator', () => {
  test('is asked no more about what they withdrew or refused, until the server changes it', async () => {
    const isOpen = async () => (await vault.database.query(PENDING_ACCOUNTS_QUERY, [1])).length > 0;
    await store('unwanted');
    const [id] = await listPending(vault);
    const withdraw = async () => (await vault.admin('/rules/withdraw', { id })).sentences.join();
    expect(
      (await vault.admin('/rules/withdraw', { id, dry_run: true })).sentences.join(),
    ).toContain('Would refuse');
    expect([await isOpen(), await withdraw(), await withdraw()]).toEqual([
      true,
      expect.stringMatching(/^Refused \w+ of account unwanted/),
      expect.stringMatching(/does not wait/),
    ]);
    expect([await isOpen(), await listPending(vault)]).toEqual([false, []]);
    expect((await vault.admin('/rules/list')).sentences.join()).toContain(
      `${id} refused: account unwanted`,
    );
    expect((await readAudit()).at(-1)).toMatch(/^operator refuse_rules unwanted/);
    // The same again is nothing new. Other content is.
    await store('unwanted');
    expect(await isOpen()).toBe(false);
    expect(await relay('unwanted')).toBe(NOT_ACCEPTED);
    vault.clock.now += 1_000;
    await store('unwanted', { secrets: { api_key: 'another login' } });
    expect(await isOpen()).toBe(true);
    await store('unwanted');
    expect(await acceptPending(vault)).toMatchObject([{ ok: true }]);
    const [accepted] = await vault.database.query(
      `select count(*)::integer as count from vault.refused_accounts`,
    );
    expect(accepted).toEqual({ count: 0 });
    await vault.post('/processor-accounts/remove', ref('unwanted'));
  });

  test('refuses a change, and the accepted copy stays in use', async () => {
    await store('changed');
    await acceptPending(vault);
    await store('changed', { secrets: { api_key: 'login of the attacker' } });
    const [id] = await listPending(vault);
    expect(await vault.admin('/rules/withdraw', { id })).toMatchObject({
      ok: true,
      sentences: [
        expect.stringMatching(/(\w{64}) is accepted and stays in use: withdraw \1 to stop/),
      ],
    });
    expect(await listPending(vault)).toEqual([]);
    processor.received.length = 0;
    expect(await relay('changed')).toBe('answered');
    expect(processor.received[0]?.headers['x-key']).toBe(SECRET);
    const again = await vault.admin('/rules/withdraw', { id });
    expect(again.sentences).toEqual([`${id} does not wait. Nothing was changed.`]);
    await vault.post('/processor-accounts/remove', ref('changed'));
  });

  test('accepts nothing that changed after the list, and may repeat', async () => {
    await store('later');
    const [id] = await listPending(vault);
    expect(await vault.admin('/rules/accept', { id, dry_run: true })).toMatchObject({
      ok: true,
      sentences: [expect.stringMatching(/^Would accept/)],
    });
    expect(await relay('later')).toBe(NOT_ACCEPTED);
    await store('later', { secrets: { api_key: 'login of the attacker' } });
    expect(await vault.admin('/rules/accept', { id })).toMatchObject({
      ok: false,
      sentences: [expect.stringContaining('list the rules again')],
    });
    await store('later');
    expect(await vault.admin('/rules/accept', { id })).toMatchObject({ ok: true });
    expect(await vault.admin('/rules/accept', { id })).toMatchObject({
      ok: true,
      sentences: [`${id} is accepted. Nothing was changed.`],
    });
  });

  test('accepts nothing that a server changes at the same moment', async () => {
    await store('raced');
    const [id] = await listPending(vault);
    const server = new pg.Client({ connectionString: vault.database.url });
    await server.connect();
    await server.query(
      `begin; update vault.processor_accounts set egress = '[]' where account_id = 'raced'`,
    );
    const accepted = vault.admin('/rules/accept', { id });
    await expect
      .poll(() =>
        vault.database.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        ),
      )
      .toHaveLength(1);
    await server.query('commit');
    await server.end();
    expect(await accepted).toMatchObject({ ok: false });
    expect(await relay('raced')).toBe(NOT_ACCEPTED);
    await vault.post('/processor-accounts/remove', ref('raced'));
  });

  test('sees places, login and digests, and no secret', async () => {
    await store('shown');
    const { sentences } = await vault.admin('/rules/list');
    const text = sentences.join('\n');
    expect(text).toMatch(
      new RegExp(
        String.raw`^\w{64} pending: account shown, sandbox\n  addresses ${processor.origin}\n  cards of every merchant\n  card: POST ${processor.origin}/approve {"card_fields":{"/number":"pan"},"headers":\["idempotency-key"\],"login":{"headers":{"x-key":{"secret":"api_key"}}}}, of no shipped adapter\n  secret api_key, SHA-256 \w{64}$`,
        'm',
      ),
    );
    expect(text).not.toContain(SECRET);
  });

  test('cannot accept a rule that names no login', async () => {
    const { login: _, ...unbound } = ruleTo(processor.origin);
    await store('shown', { egress: [unbound] });
    expect(await acceptPending(vault)).toMatchObject([
      { ok: false, sentences: [expect.stringContaining('names no login')] },
    ]);
    await vault.post('/processor-accounts/remove', ref('shown'));
  });

  test.each<[string, Partial<EgressRule>]>([
    ['a login without a secret', { login: { headers: {} } }],
    [
      'other secrets in its body than its login',
      { secret_fields: { '/key': 'api_key' }, login: { ...login, body: {} } },
    ],
  ])('cannot accept a rule with %s', async (fault, changes) => {
    await store('shown', { egress: [ruleTo(processor.origin, changes)] });
    expect(await acceptPending(vault)).toMatchObject([
      { ok: false, sentences: [expect.stringContaining(`${fault}, so a server could`)] },
    ]);
    await vault.post('/processor-accounts/remove', ref('shown'));
  });

  test('cannot accept an account without rules', async () => {
    const request = { ...ref('open'), origins: [processor.origin], secrets: { api_key: SECRET } };
    await vault.post('/processor-accounts/store', request);
    expect(await acceptPending(vault)).toMatchObject([
      { ok: false, sentences: [expect.stringContaining('has no rules')] },
    ]);
    await vault.post('/processor-accounts/remove', ref('open'));
  });
});

describe('a change beside a genuine one', () => {
  test('is marked in the list, with each header, parameter and place of a secret', async () => {
    await store('beside');
    await acceptPending(vault);
    const note = { origin: processor.origin, method: 'POST', path: '/notes' } as const;
    await store('beside', {
      secrets: { api_key: 'a new key' },
      egress: [ruleTo(processor.origin), { ...note, secret_fields: { '/text': 'api_key' } }],
    });
    const { sentences } = await vault.admin('/rules/list');
    expect(sentences.filter((line) => line.startsWith('  NEW '))).toEqual([
      `  NEW no card: POST ${processor.origin}/notes {"secret_fields":{"/text":"api_key"}}, login not bound, of no shipped adapter`,
      expect.stringMatching(/^ {2}NEW secret api_key, SHA-256 /),
    ]);
    await vault.post('/processor-accounts/remove', ref('beside'));
  });

  test.each([{ headers: ['authorization'] }, { headers: ['x-key'] }, { query: ['apikey'] }])(
    'is refused where %o could carry another login beside a card',
    async (changes) => {
      await store('second', { egress: [ruleTo(processor.origin, changes)] });
      expect(await acceptPending(vault)).toMatchObject([
        { ok: false, sentences: [expect.stringContaining('could send another login')] },
      ]);
      await vault.post('/processor-accounts/remove', ref('second'));
    },
  );

  test.each([
    { account_id: 'x, live\n0123 pending: account genuine' },
    { account_id: 'x\u001b[1A' },
    { place: '/number\n  card: POST https://genuine' },
    { place: '/number\u202e' },
  ])(
    'cannot write lines of its own with %j',
    async ({ account_id = 'lines', place = '/number' }) => {
      const rules = [ruleTo(processor.origin, { card_fields: { [place]: 'pan' } })];
      const account = { ...ref(account_id), origins: [processor.origin], secrets: {} };
      const answer = await vault.post('/processor-accounts/store', { ...account, egress: rules });
      expect(answer.status).toBe(400);
    },
  );

  test('cannot write lines of its own with a name that an earlier version stored', async () => {
    await vault.database.query(
      `insert into vault.processor_accounts (account_id, mode, origins, stored_at)
       values (E'x\\n0123 pending: account genuine', 'live', '{}', now())`,
    );
    const { sentences } = await vault.admin('/rules/list');
    expect(sentences.join('\n')).not.toMatch(/^0123/m);
    await vault.database.query(`delete from vault.processor_accounts where mode = 'live'`);
  });
});

test('a secret stored again does not wait', async () => {
  await store('again');
  await acceptPending(vault);
  vault.clock.now += 1_000;
  await store('again');
  expect(await vault.database.query(PENDING_ACCOUNTS_QUERY, [1])).toEqual([]);
  await vault.post('/processor-accounts/remove', ref('again'));
});

test('a secret removed together with a change of address is no longer in use', async () => {
  await store('moved');
  await acceptPending(vault);
  const request = { ...ref('moved'), origins: [own.origin], secrets: { api_key: null } };
  await vault.post('/processor-accounts/store', request);
  expect(await relay('moved')).toMatch(/^credential_missing/);
  await vault.post('/processor-accounts/remove', ref('moved'));
});

describe('rules that the vault knows by itself', () => {
  const origin = 'https://abcd1234.api.checkout.com';
  const checkoutLogin = { headers: { authorization: { prefix: 'Bearer ', secret: 'secret_key' } } };
  const known = ruleTo(origin, {
    path: '/payments',
    card_fields: {
      '/source/token': 'pan',
      '/source/expiry_month': 'expiry_month_number',
      '/source/expiry_year': 'expiry_year_number',
      '/source/cryptogram': 'cryptogram',
      '/source/eci': 'eci',
      '/source/number': 'pan',
      '/source/cvv': 'cvv',
    },
    login: checkoutLogin,
    headers: ['cko-idempotency-key'],
  });
  const unknownGet: EgressRule = {
    origin,
    method: 'GET',
    path: '/payments',
    login: checkoutLogin,
  };
  const account = { origins: [origin], secrets: { secret_key: SECRET } };
  const publish = (egress: readonly EgressRule[]) =>
    vault.post('/processor-accounts/egress', { ...ref('shipped'), egress });

  test('need an operator with a new account, and none after an upgrade', async () => {
    await store('shipped', { ...account, egress: [unknownGet] });
    expect(await listPending(vault)).toHaveLength(1);
    await acceptPending(vault);
    await publish([known, { origin, method: 'GET', path: '/payments/*', login: checkoutLogin }]);
    expect(await listPending(vault)).toEqual([]);
    expect((await readAudit()).at(-1)).toMatch(
      /^schedule accept_rules shipped known 3 egress rules/,
    );
  });

  test.each<[string, EgressRule]>([
    ['another place', { ...known, card_fields: { '/reference': 'pan' } }],
    ['another login', { ...known, login: { headers: {} } }],
    ['further headers', { ...known, headers: ['authorization'] }],
    ['another path', { ...known, path: '/x/payments' }],
    ['a message without a card', { origin, method: 'POST', path: '/forward' }],
    [
      'a secret in a body',
      { origin, method: 'POST', path: '/a', secret_fields: { '/a': 'secret_key' } },
    ],
    ['an address that is not accepted', { ...known, origin: 'https://zzzz.api.checkout.com' }],
  ])('are not known with %s', async (_name, rule) => {
    await publish([known, rule]);
    expect(await listPending(vault)).toHaveLength(1);
    await publish([known]);
    expect(await listPending(vault)).toEqual([]);
  });

  const readAccepted = async (): Promise<EgressRule[]> => {
    const [row] = await vault.database.query(
      `select egress from vault.accepted_accounts where account_id = 'shipped'`,
    );
    return row?.egress as EgressRule[];
  };

  test('stay when a server publishes others in their place', async () => {
    await publish([unknownGet]);
    expect(await readAccepted()).toContainEqual(known);
    expect(await listPending(vault)).toEqual([]);
  });

  test('are marked in the list where an earlier version accepted others by itself', async () => {
    await setAccepted([known, { origin, method: 'POST', path: '/forward' }]);
    const { sentences } = await vault.admin('/rules/list');
    const lines = sentences.filter((line) => line.includes(origin) && line.includes(': POST'));
    expect(lines.filter((line) => line.endsWith(', of no shipped adapter'))).toContainEqual(
      `  no card: POST ${origin}/forward {}, login not bound, of no shipped adapter`,
    );
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}card: POST .*"\]?\}+$/));
    await setAccepted([known]);
  });

  test.each<[string, Partial<EgressRule>]>([
    ['another login', { login: { headers: { authorization: { secret: 'other_key' } } } }],
    ['a further header', { headers: ['cko-idempotency-key', 'x-anything'] }],
    ['another format', { codec: 'xml' }],
  ])('are marked in the list with %s', async (_name, changes) => {
    await publish([known, { ...known, ...changes }]);
    const { sentences } = await vault.admin('/rules/list');
    const marked = sentences.filter((line) => line.endsWith(', of no shipped adapter'));
    expect(marked).toContainEqual(expect.stringMatching(/^ {2}NEW card: POST /));
    await publish([known]);
  });

  test('bind the login of rules that an earlier version accepted', async () => {
    const { login: _login, headers: _headers, ...unbound } = known;
    // During a rolling upgrade, both forms may have been accepted.
    for (const accepted of [[unbound], [known, unbound]]) {
      await setAccepted(accepted);
      await publish([known, unknownGet]);
      await publish([known]);
      expect(await readAccepted()).toEqual([known]);
    }
  });

  const setAccepted = (egress: readonly EgressRule[]) =>
    vault.database.query(
      `update vault.accepted_accounts set egress = $1 where account_id = 'shipped'`,
      [JSON.stringify(egress)],
    );
});

test('accounts that wait are counted once in ten seconds, also by concurrent calls', async () => {
  let queries = 0;
  const clock = { now: 0 };
  const count = createPendingCount({
    db: {
      query: async <R extends object>(sql: string, values: readonly unknown[] = []) => {
        queries++;
        return (await vault.database.query(sql, [...values])) as R[];
      },
    },
    clock: () => clock.now,
  });
  await store('counted');
  expect(await Promise.all([count(), count()])).toEqual([1, 1]);
  clock.now = 9_999;
  await count();
  expect(queries).toBe(1);
  // The second call is after the clock of the system was set back.
  for (clock.now of [20_000, 0]) await count();
  expect(queries).toBe(3);
  await vault.post('/processor-accounts/remove', ref('counted'));
});

describe('an upgrade from a release without consent', () => {
  const origin = 'https://abcd1234.api.checkout.com';
  const unbound = {
    origin,
    method: 'POST',
    path: '/payments',
    card_fields: {
      '/source/token': 'pan',
      '/source/expiry_month': 'expiry_month_number',
      '/source/expiry_year': 'expiry_year_number',
      '/source/cryptogram': 'cryptogram',
      '/source/eci': 'eci',
      '/source/number': 'pan',
      '/source/cvv': 'cvv',
    },
  };
  const other = { ...unbound, origin: 'https://processor.example', path: '/home' };

  test('binds the login of each rule of a shipped adapter before the first message', async () => {
    const config = { requires_consent: true } as const;
    await using old = await startTestVault([origin], config);
    const egress = JSON.stringify([unbound, other]);
    await old.database.query(
      `insert into vault.processor_accounts (account_id, mode, origins, egress, stored_at)
         values ('old', 'live', '{}', $1, now())`,
      [egress],
    );
    await old.database.query(
      `insert into vault.accepted_accounts (account_id, mode, origins, egress, accepted_at)
         values ('old', 'live', '{}', $1, now())`,
      [egress],
    );
    await old.restart();
    const rows = await old.database.query(
      `select egress from vault.accepted_accounts union all select egress from vault.processor_accounts`,
    );
    expect(rows).toHaveLength(2);
    for (const { egress: rules } of rows)
      expect(rules).toEqual([
        other,
        {
          ...unbound,
          login: { headers: { authorization: { prefix: 'Bearer ', secret: 'secret_key' } } },
          headers: ['cko-idempotency-key'],
        },
      ]);
    expect(await old.database.query(PENDING_ACCOUNTS_QUERY, [1])).toEqual([]);
    const entries = await old.database.query(
      `select outcome from vault.audit where verb = 'accept_rules' order by seq`,
    );
    expect(entries.map(({ outcome }) => outcome)).toEqual([
      expect.stringMatching(/^requested: old bound 2 egress rules/),
      expect.stringMatching(/^old bound 2 egress rules/),
    ]);
  });

  test('leaves no candidate that another one could use', async () => {
    const database = await createTestDatabase();
    await using db = await openDatabase(database.url, () => {});
    const history = await readVaultHistory();
    const before = history.files.filter(({ name }) => name < '0022');
    await migrate(db, () => {}, { history: { ...history, files: before } });
    for (const table of ['processor_accounts', 'accepted_accounts'])
      await db.query(
        `insert into vault.${table} (account_id, mode, origins, ${table === 'accepted_accounts' ? 'accepted_at' : 'stored_at'})
         values ('mine', 'live', '{}', now()), ('mine-candidate', 'live', '{https://own.example}', now())`,
      );
    const namesOf = async () =>
      (
        await selectAcceptedAccounts(db, [
          { account_id: 'mine-candidate', mode: 'live' },
          { account_id: 'mine-candidate-candidate', mode: 'live' },
        ])
      ).map(({ account_id, origins }) => [account_id, origins]);
    expect(await db.query('select from vault.accepted_accounts')).toHaveLength(2);
    await migrate(db);
    // A candidate has the addresses of its account, and no account ends like a candidate.
    expect(await namesOf()).toEqual([['mine-candidate', []]]);
    await database.drop();
  });
});

test('development asks no operator', async () => {
  const free = await startTestVault([processor.origin]);
  try {
    const { card_pan_token } = await free.ingest();
    const request = { ...ref('free'), origins: [processor.origin], secrets: { api_key: SECRET } };
    await free.post('/processor-accounts/store', request);
    const [answer] = await free.relay(messageOf('free', { card_pan_token }));
    expect(answer?.outcome).toBe('answered');
    expect(JSON.parse((await free.get('/health')).text)).not.toHaveProperty('pending_accounts');
  } finally {
    await free[Symbol.asyncDispose]();
  }
});
