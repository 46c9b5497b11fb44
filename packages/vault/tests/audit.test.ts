import { createPublicKey, randomUUID, verify as verifySignature } from 'node:crypto';
import type { RelayRequest } from '@florin/contract/protocol/vault.ts';
import type { AuditHead } from '@florin/contract/protocol/vault-admin.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { UNREADABLE_MAX } from '../src/audit/alarms.ts';
import { startNetwork } from './support/network.ts';
import { startTestVault, type TestVault } from './support/vault.ts';

let network: Awaited<ReturnType<typeof startNetwork>>;
let vault: TestVault;
beforeAll(async () => {
  network = await startNetwork();
  vault = await startTestVault([network.origin]);
});
afterAll(async () => {
  await vault?.[Symbol.asyncDispose]();
  await network[Symbol.asyncDispose]();
});

const queryRows = (sql: string, values: unknown[] = []) => vault.database.query(sql, values);
const verifyAudit = () => vault.admin('/audit/verify');
const readVerbs = async () =>
  (await queryRows('select actor, verb, outcome from vault.audit order by seq')).map(
    ({ actor, verb, outcome }) => `${actor} ${verb} ${outcome}`,
  );

const createRelayRequest = (
  card_pan_token: string,
  changes: Partial<RelayRequest> = {},
): RelayRequest => ({
  id: randomUUID(),
  merchant_id: 'merchant-a',
  mode: 'sandbox',
  card_pan_token,
  consumes_cvv: true,
  method: 'POST',
  url: `${network.origin}/approve`,
  headers: {},
  body: { number: null },
  card_fields: { '/number': 'pan' },
  timeout_ms: 5_000,
  not_after: Number.MAX_SAFE_INTEGER,
  ...changes,
});

test('the audit records who did what to which card, and is valid', async () => {
  const { card_pan_token } = await vault.ingest();
  await vault.relay(
    createRelayRequest(card_pan_token),
    createRelayRequest('pan_unknown', { consumes_cvv: false }),
  );
  await vault.admin('/rotate', { key: 'epoch' });
  expect(await readVerbs()).toEqual([
    'server ingest stored',
    'server relay not_sent',
    'server authorise answered',
    'operator rotate_epoch requested',
    'operator rotate_epoch opened',
  ]);
  const [{ line } = {}] = await queryRows(
    'select string_agg(a::text, $1) as line from vault.audit a',
    ['|'],
  );
  expect(line).not.toContain(card_pan_token);
  expect(await verifyAudit()).toMatchObject({
    ok: true,
    sentences: [expect.stringMatching(/^All 5 entries are valid\. The head is [0-9a-f]{64}\.$/)],
  });
});

test('concurrent authorisations are written in a few transactions', async () => {
  const { card_pan_token } = await vault.ingest();
  const countTransactions = async () =>
    Number(
      (await queryRows(`select count(distinct xmin::text) as count from vault.audit`))[0]!.count,
    );
  await vault.admin('/rotate', { key: 'epoch' });
  const countBefore = await countTransactions();
  await Promise.all(
    Array.from({ length: 30 }, () => vault.relay(createRelayRequest(card_pan_token))),
  );
  await vault.admin('/rotate', { key: 'epoch' });
  expect((await countTransactions()) - countBefore).toBeLessThan(15);
  expect(await verifyAudit()).toMatchObject({ ok: true });
});

test('a vault that stops has written all entries', async () => {
  const { card_pan_token } = await vault.ingest();
  await vault.relay(createRelayRequest(card_pan_token));
  await vault.restart();
  expect((await readVerbs()).at(-1)).toBe('server authorise answered');
});

describe('the audit cannot be changed by the vault’s own role', () => {
  test.each([
    `update vault.audit set outcome = 'approved'`,
    `delete from vault.audit where seq = 1`,
    'truncate vault.audit',
  ])('%s', async (sql) => {
    const client = new pg.Client({ connectionString: vault.database.url });
    await client.connect();
    await expect(client.query(sql)).rejects.toMatchObject({ code: '42501' });
    // Even if the role grants itself the right again, as an owner can.
    await client.query('grant update, delete, truncate on vault.audit to current_user');
    await expect(client.query(sql)).rejects.toThrow('the audit is append-only');
    await client.query('revoke update, delete, truncate on vault.audit from current_user');
    await client.end();
  });
});

describe('after access to the database, a change', () => {
  const tamper = async (sql: string): Promise<void> => {
    await queryRows('alter table vault.audit disable trigger user');
    await queryRows(sql);
    await queryRows('alter table vault.audit enable trigger user');
  };

  test('of an entry breaks the chain, and the command names it', async () => {
    await tamper(`update vault.audit set outcome = outcome || '!' where seq = 3`);
    expect(await verifyAudit()).toEqual({
      ok: false,
      sentences: ['The audit is invalid after 2 entries: entry 3 was changed.'],
    });
    await tamper(`update vault.audit set outcome = rtrim(outcome, '!') where seq = 3`);
    expect(await verifyAudit()).toMatchObject({ ok: true });
  });

  test('by removal of an entry breaks it', async () => {
    await tamper(`delete from vault.audit where seq = 2`);
    expect(await verifyAudit()).toEqual({
      ok: false,
      sentences: ['The audit is invalid after 1 entries: entries 2 to 2 are missing.'],
    });
  });
});

describe('an exported head', () => {
  const verifyHead = (head: unknown) => vault.admin('/audit/verify', { head });
  const truncateAudit = async (seq: number): Promise<void> => {
    await queryRows('alter table vault.audit disable trigger user');
    await queryRows('delete from vault.audit where seq > $1', [seq]);
    await queryRows('alter table vault.audit enable trigger user');
  };
  const exportHead = async (): Promise<AuditHead> => (await vault.admin('/audit/export')).head!;

  beforeAll(async () => {
    await vault[Symbol.asyncDispose]();
    vault = await startTestVault([network.origin]);
    for (let i = 0; i < 3; i++) await vault.admin('/rotate', { key: 'epoch' });
  });

  test('stays valid while the audit grows, over a restart and another root key', async () => {
    const head = await exportHead();
    expect(head).toMatchObject({ seq: 7, at: new Date(vault.clock.now).toISOString() });
    await vault.admin('/rotate', { key: 'root' });
    await vault.restart();
    expect(await verifyHead(head)).toMatchObject({
      ok: true,
      sentences: [
        expect.stringMatching(/^All /),
        `The first 7 match the head exported at ${head.at}.`,
      ],
    });
  });

  test.each<[string, (head: AuditHead) => Partial<AuditHead>]>([
    ['an earlier entry', ({ seq }) => ({ seq: seq - 1 })],
    ['another hash', ({ hash }) => ({ hash: hash.replaceAll(/./g, '0') })],
    ['another time', () => ({ at: '2030-01-01T00:00:00.000Z' })],
    ['no signature', () => ({ signature: 'none' })],
  ])('is refused with %s', async (_name, change) => {
    const head = await exportHead();
    expect(await verifyHead({ ...head, ...change(head) })).toMatchObject({
      ok: false,
      sentences: [expect.any(String), 'The head was not signed by this vault, or was changed.'],
    });
  });

  test('is refused by a vault that has exported none, and no key is created for it; then also under the key that it brings', async () => {
    const head = await exportHead();
    await using otherVault = await startTestVault();
    await otherVault.admin('/rotate', { key: 'epoch' });
    expect(await otherVault.admin('/audit/verify', { head })).toMatchObject({
      ok: false,
      sentences: [
        expect.any(String),
        expect.stringMatching(/^This vault has never exported a head/),
      ],
    });
    expect(await otherVault.database.query('select from vault.audit_keys')).toEqual([]);
    await otherVault.admin('/audit/export');
    expect(await otherVault.admin('/audit/verify', { head })).toMatchObject({ ok: false });
  });

  test('can be checked without the vault, by its public key', async () => {
    const { seq, hash, at, public_key, signature } = await exportHead();
    const key = createPublicKey({
      key: Buffer.from(public_key, 'base64'),
      format: 'der',
      type: 'spki',
    });
    const message = ['florin audit head 1', seq, hash, at].join('\n');
    expect(verifySignature(null, Buffer.from(message), key, Buffer.from(signature, 'base64'))).toBe(
      true,
    );
  });

  test('reveals truncated entries, which the chain itself does not, and rewritten ones', async () => {
    const head = await exportHead();
    const { seq } = head;
    await truncateAudit(seq - 2);
    expect(await verifyAudit()).toMatchObject({ ok: true });
    expect(await verifyHead(head)).toMatchObject({
      ok: false,
      sentences: [
        expect.any(String),
        expect.stringMatching(
          new RegExp(`^The audit ends at entry ${seq - 2} but had ${seq} entries on `),
        ),
      ],
    });

    for (let i = 0; i < 3; i++) await vault.admin('/rotate', { key: 'epoch' });
    expect(await verifyHead(head)).toMatchObject({
      ok: false,
      sentences: [
        expect.any(String),
        expect.stringMatching(new RegExp(`^Entry ${seq} differs from the head exported at `)),
      ],
    });
  });
});

describe('records that cannot be decrypted', () => {
  const findBurstWarnings = () => vault.log.filter((line) => line.includes('unreadable_burst'));

  test('cause one warning a minute when they come in a burst', async () => {
    const ingestUnreadable = async () => {
      const request = await vault.sealedRequest();
      const source = { ...request.source, pan_jwe: 'x' };
      return vault.post('/ingest', { ...request, source });
    };
    for (let i = 1; i < UNREADABLE_MAX; i++) await ingestUnreadable();
    expect(findBurstWarnings()).toEqual([]);
    for (let i = 0; i < UNREADABLE_MAX; i++) await ingestUnreadable();
    expect(findBurstWarnings()).toHaveLength(1);
    expect(JSON.parse(findBurstWarnings()[0]!)).toMatchObject({
      level: 40,
      what: 'sealed_card_unreadable',
      count: UNREADABLE_MAX,
    });
    vault.clock.now += 60_000;
    for (let i = 0; i < UNREADABLE_MAX; i++) await ingestUnreadable();
    expect(findBurstWarnings()).toHaveLength(2);
  });

  test('of the database count as well', async () => {
    const { card_pan_token } = await vault.ingest();
    await queryRows(`update vault.cards set ciphertext = '\\x00' where token = $1`, [
      card_pan_token,
    ]);
    const warningsBefore = findBurstWarnings().length;
    const createRequest = () => createRelayRequest(card_pan_token, { consumes_cvv: false });
    await vault.relay(...Array.from({ length: UNREADABLE_MAX }, createRequest));
    expect(findBurstWarnings().slice(warningsBefore).join()).toContain('record_unreadable');
  });
});
