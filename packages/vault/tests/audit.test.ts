import { randomUUID } from 'node:crypto';
import type { RelayRequest } from '@florin/contract/protocol/vault.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

const rows = (sql: string, values: unknown[] = []) => vault.database.query(sql, values);
const verify = () => vault.admin('/audit/verify');
const verbs = async () =>
  (await rows('select actor, verb, outcome from vault.audit order by seq')).map(
    ({ actor, verb, outcome }) => `${actor} ${verb} ${outcome}`,
  );

const requestFor = (card_pan_token: string, more: Partial<RelayRequest> = {}): RelayRequest => ({
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
  ...more,
});

test('the audit says who did what to which card, and holds', async () => {
  const { card_pan_token } = await vault.ingest();
  await vault.relay(requestFor(card_pan_token), requestFor('pan_unknown', { consumes_cvv: false }));
  await vault.admin('/rotate', { key: 'epoch' });
  expect(await verbs()).toEqual([
    'server ingest stored',
    'server relay not_sent',
    'server authorise answered',
    'operator rotate_epoch opened',
  ]);
  const [{ line } = {}] = await rows('select string_agg(a::text, $1) as line from vault.audit a', [
    '|',
  ]);
  expect(line).not.toContain(card_pan_token);
  expect(await verify()).toMatchObject({
    ok: true,
    said: [expect.stringMatching(/^All 4 entries hold\. The head is [0-9a-f]{64}\.$/)],
  });
});

test('a hundred authorisations at once are written in a few transactions', async () => {
  const { card_pan_token } = await vault.ingest();
  const transactions = async () =>
    Number((await rows(`select count(distinct xmin::text) as count from vault.audit`))[0]!.count);
  await vault.admin('/rotate', { key: 'epoch' });
  const before = await transactions();
  await Promise.all(Array.from({ length: 100 }, () => vault.relay(requestFor(card_pan_token))));
  await vault.admin('/rotate', { key: 'epoch' });
  expect((await transactions()) - before).toBeLessThan(50);
  expect(await verify()).toMatchObject({ ok: true });
});

test('a vault that stops has written all of it', async () => {
  const { card_pan_token } = await vault.ingest();
  await vault.relay(requestFor(card_pan_token));
  await vault.restart();
  expect((await verbs()).at(-1)).toBe('server authorise answered');
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
    // Also where the role gives itself the right back, as an owner can.
    await client.query('grant update, delete, truncate on vault.audit to current_user');
    await expect(client.query(sql)).rejects.toThrow('the audit is append-only');
    await client.query('revoke update, delete, truncate on vault.audit from current_user');
    await client.end();
  });
});

describe('who gets past the database', () => {
  const tampering = async (sql: string): Promise<void> => {
    await rows('alter table vault.audit disable trigger user');
    await rows(sql);
    await rows('alter table vault.audit enable trigger user');
  };

  test('breaks the chain where an entry is changed, and the command says where', async () => {
    await tampering(`update vault.audit set outcome = outcome || '!' where seq = 3`);
    expect(await verify()).toEqual({
      ok: false,
      said: ['The audit breaks after 2 entries: entry 3 was changed.'],
    });
    await tampering(`update vault.audit set outcome = rtrim(outcome, '!') where seq = 3`);
    expect(await verify()).toMatchObject({ ok: true });
  });

  test('breaks it where an entry is taken out', async () => {
    await tampering(`delete from vault.audit where seq = 2`);
    expect(await verify()).toEqual({
      ok: false,
      said: ['The audit breaks after 1 entries: entries 2 to 2 are missing.'],
    });
  });
});
