import { createPrivateKey } from 'node:crypto';
import type {
  CardDescription,
  Credentials,
  RelayRequest,
} from '@florin/contract/protocol/vault.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { FAILURES_MAX } from '../src/relay/breaker.ts';
import { acceptPending } from './support/consent.ts';
import { startNetwork } from './support/network.ts';
import { createHolder, issueCertificate, startTlsNetwork } from './support/tls-network.ts';
import { dumpDatabase, startTestVault, type TestVault } from './support/vault.ts';

const POLL_OPTIONS = { timeout: 10_000 };
const cleanup = new AsyncDisposableStack();
let network: Awaited<ReturnType<typeof startTlsNetwork>>;
let plainNetwork: Awaited<ReturnType<typeof startNetwork>>;
let vault: TestVault;
let card: CardDescription;
let account_id: string;
let accounts = 0;

beforeAll(async () => {
  network = cleanup.use(await startTlsNetwork());
  plainNetwork = cleanup.use(await startNetwork());
  vault = cleanup.use(await startTestVault([network.origin, plainNetwork.origin]));
  card = await vault.ingest();
});
afterAll(() => cleanup.disposeAsync());
beforeEach(() => {
  network.received.length = 0;
  accounts += 1;
  account_id = `account-${accounts}`;
});

async function store(
  secrets: Record<string, string>,
  id = account_id,
  changes: object = {},
): Promise<void> {
  const origins = [network.origin, plainNetwork.origin];
  const request = { account_id: id, mode: 'sandbox', origins, secrets, ...changes };
  const { status, text } = await vault.post('/processor-accounts/store', request);
  expect([status, text]).toEqual([200, expect.not.stringContaining('BEGIN')]);
}

const createRequest = (changes: Partial<RelayRequest> = {}, id = account_id): RelayRequest => ({
  id: 'attempt-1',
  merchant_id: 'merchant-a',
  mode: 'sandbox',
  card_pan_token: card.card_pan_token,
  consumes_cvv: false,
  method: 'POST',
  url: `${network.origin}/approve`,
  headers: {},
  body: { number: null },
  card_fields: { '/number': 'pan' },
  credentials: {
    account_id: id,
    headers: {},
    client_certificate: { certificate: 'certificate', private_key: 'private_key' },
  },
  timeout_ms: 5_000,
  not_after: Number.MAX_SAFE_INTEGER,
  ...changes,
});

/** Outcome of a message, with the reason and detail if it was not sent. */
async function relay(changes: Partial<RelayRequest> = {}, id = account_id): Promise<string> {
  const [answer] = await vault.relay(createRequest(changes, id));
  return answer?.outcome === 'not_sent' ? `${answer.why}: ${answer.detail}` : `${answer?.outcome}`;
}

const clients = () => network.received.map(({ client }) => client);

test('a message has the client certificate of its account, and connections of its own', async () => {
  await store(issueCertificate('shop-a'));
  await store(issueCertificate('shop-b'), 'account-b');
  expect([await relay(), await relay(), await relay({}, 'account-b')]).toEqual(
    Array(3).fill('answered'),
  );
  expect(clients()).toEqual(['shop-a', 'shop-a', 'shop-b']);
  const [first, second, third] = network.received.map(({ connection }) => connection);
  expect(second).toBe(first);
  expect(third).not.toBe(first);
  expect(network.received[0]?.body).toContain('4242424242424242');
});

test('a message without a client certificate is not accepted, and uses no connection of an account', async () => {
  await store(issueCertificate('shop-a'));
  await relay();
  expect(await relay({ credentials: { account_id, headers: {} } })).toBe('lost');
  expect(clients()).toEqual(['shop-a']);
});

test('a new certificate is used at once, and the old connection is closed', async () => {
  await store(issueCertificate('old'));
  await relay();
  const { connection } = network.received[0]!;
  expect(network.openConnections()).toContain(connection);
  await store(issueCertificate('new'));
  await expect.poll(network.openConnections, POLL_OPTIONS).not.toContain(connection);
  expect(await relay()).toBe('answered');
  expect(clients()).toEqual(['old', 'new']);
});

test('a message in flight gets its response on the old connection', async () => {
  await store(issueCertificate('old'));
  const held = relay({ url: `${network.origin}/hold` });
  await expect.poll(clients, POLL_OPTIONS).toEqual(['old']);
  await store(issueCertificate('new'));
  expect(await relay()).toBe('answered');
  const { connection } = network.received[0]!;
  expect(network.openConnections()).toContain(connection);
  network.release();
  expect(await held).toBe('answered');
  await expect.poll(network.openConnections, POLL_OPTIONS).not.toContain(connection);
  expect(clients()).toEqual(['old', 'new']);
});

test('the connection of a removed account is closed', async () => {
  await store(issueCertificate('removed'));
  await relay();
  await vault.post('/processor-accounts/remove', { account_id, mode: 'sandbox' });
  const { connection } = network.received[0]!;
  await expect.poll(network.openConnections, POLL_OPTIONS).not.toContain(connection);
});

test('the connection of a withdrawn account is closed', async () => {
  const { method, url, card_fields, credentials } = createRequest();
  const { account_id: _id, ...login } = credentials as Credentials;
  const { origin, pathname: path } = new URL(url);
  await store(issueCertificate('withdrawn'), account_id, {
    egress: [{ origin, method, path, card_fields, login }],
  });
  const sentences = (await acceptPending(vault)).flatMap((result) => result.sentences).join();
  const [, id] = new RegExp(`Accepted (\\w+) of account ${account_id},`).exec(sentences) ?? [];
  await relay();
  const { connection } = network.received[0]!;
  expect(network.openConnections()).toContain(connection);
  expect(await vault.admin('/rules/withdraw', { id })).toMatchObject({ ok: true });
  await expect.poll(network.openConnections, POLL_OPTIONS).not.toContain(connection);
});

const encrypted = (pem: string): string =>
  createPrivateKey(pem)
    .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' })
    .toString();

test.each<[string, () => Record<string, string>, string]>([
  [
    'that is no PEM',
    () => ({ ...issueCertificate('a'), certificate: 'certificate' }),
    'The client certificate cannot be read. Store it as PEM.',
  ],
  [
    'whose key is of another',
    () => ({ ...issueCertificate('a'), private_key: issueCertificate('b').private_key }),
    'The key does not belong to the client certificate. Store both again.',
  ],
  [
    'whose key has a passphrase',
    () => {
      const { certificate, private_key } = issueCertificate('a');
      return { certificate, private_key: encrypted(private_key) };
    },
    'The key of the client certificate cannot be read. Store it as PEM without a passphrase.',
  ],
  [
    'that is over',
    () => issueCertificate('a', { notAfter: new Date('2026-11-20') }),
    'The client certificate is valid from 2020-01-01T00:00:00.000Z to 2026-11-20T00:00:00.000Z. Store another one.',
  ],
])('a certificate %s sends nothing', async (_name, createSecrets, detail) => {
  await store(createSecrets());
  expect(await relay()).toBe(`client_certificate_unusable: ${detail}`);
  expect(network.received).toHaveLength(0);
});

test('a certificate is not used without encryption', async () => {
  await store(issueCertificate('a'));
  expect(await relay({ url: `${plainNetwork.origin}/approve` })).toBe(
    'client_certificate_unusable: A client certificate needs an https address.',
  );
  expect(plainNetwork.received).toHaveLength(0);
});

test('a certificate that the processor refuses after the message leaves the outcome unknown', async () => {
  await store(issueCertificate('stranger', { issuer: createHolder('unknown') }));
  expect(await relay()).toBe('lost');
  expect(network.received).toHaveLength(0);
});

test('a certificate that the handshake refuses sends nothing, and does not stop other accounts', async () => {
  await using older = await startTlsNetwork({ maxVersion: 'TLSv1.2' });
  await using olderVault = await startTestVault([older.origin]);
  const olderCard = await olderVault.ingest();
  const send = async (id: string) => {
    const url = `${older.origin}/approve`;
    const { card_pan_token } = olderCard;
    const [answer] = await olderVault.relay(createRequest({ url, card_pan_token }, id));
    return answer?.outcome === 'answered' ? answer.outcome : answer?.why;
  };
  const secretsById = {
    refused: issueCertificate('stranger', { issuer: createHolder('unknown') }),
    accepted: issueCertificate('shop-a'),
  };
  for (const [id, secrets] of Object.entries(secretsById))
    await olderVault.post('/processor-accounts/store', {
      account_id: id,
      mode: 'sandbox',
      origins: [older.origin],
      secrets,
    });
  for (let count = 0; count < FAILURES_MAX; count += 1)
    expect(await send('refused')).toBe('connection_failed');
  expect(await send('refused')).toBe('origin_unreachable');
  expect(await send('accepted')).toBe('answered');
});

test('certificate and key are in no row of the database and in no log', async () => {
  const secrets = issueCertificate('a');
  await store(secrets);
  await relay();
  const everything = (await dumpDatabase(vault.database)) + vault.log.join('\n');
  for (const pem of Object.values(secrets))
    for (const line of pem.split('\n').filter((text) => text.length === 64))
      expect(everything).not.toContain(line);
  expect(everything).toContain(`${account_id} stored: certificate, private_key`);
});
