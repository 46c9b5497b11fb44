import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listPending } from './support/consent.ts';
import { startTestVault, type TestVault } from './support/vault.ts';

const TABLES = [
  'cards',
  'keks',
  'root_keys',
  'staged_root_keys',
  'sealing_keys',
  'number_limits',
  'processor_accounts',
  'processor_secrets',
  'accepted_accounts',
  'accepted_secrets',
];
const scope = { merchant_id: 'merchant-a', mode: 'sandbox' };
const account = { account_id: 'account-1', mode: 'live' };
const login = { headers: { 'x-key': { secret: 'api_key' } } };
const rule = { origin: 'https://a.example', method: 'POST', path: '/pay', login };
const accountRequest = (api_key: string) => ({
  ...account,
  origins: ['https://a.example'],
  egress: [rule],
  secrets: { api_key },
});

/** Advisory lock of the audit in earlier releases. Every login of a database can take it. */
const EARLIER_AUDIT_LOCK = 7_238_104_514;

let vault: TestVault;
let card_pan_token: string;
let pending_id: string;
beforeAll(async () => {
  vault = await startTestVault();
  ({ card_pan_token } = await vault.ingest());
  await vault.admin('/rotate', { key: 'seal', at_once: true });
  const stored = await vault.post('/processor-accounts/store', accountRequest('the first key'));
  expect(stored.status).toBe(200);
  [pending_id = ''] = await listPending(vault);
});
afterAll(() => vault?.[Symbol.asyncDispose]());

const queryRows = (sql: string) => vault.database.query(sql, []);

/** Rows and files that a command could change, as text. */
async function readEffects(): Promise<string> {
  const texts: unknown[] = [];
  for (const name of TABLES)
    texts.push(name, await queryRows(`select t::text from vault.${name} t order by 1`));
  const { dataDir } = vault.config;
  for (const name of readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).sort()) {
    const path = join(dataDir, name);
    texts.push(name, statSync(path).isFile() ? readFileSync(path, 'hex') : 'directory');
  }
  return JSON.stringify(texts);
}

const commands: readonly [name: string, path: string, body: () => object][] = [
  ['rotate seal', '/rotate', () => ({ key: 'seal', at_once: true })],
  ['rotate kek', '/rotate', () => ({ key: 'kek' })],
  ['rotate root', '/rotate', () => ({ key: 'root' })],
  ['rotate epoch', '/rotate', () => ({ key: 'epoch' })],
  ['destroy card', '/destroy', () => ({ ...scope, card_pan_token })],
  ['destroy merchant', '/destroy', () => scope],
  ['destroy root', '/destroy', () => ({ root_version: 1 })],
  ['retire', '/retire', () => ({ name: 'gone' })],
  ['limit', '/limit', () => ({ ...scope, new_numbers: 5 })],
  [
    'import open',
    '/import/open',
    () => ({ ...scope, numbers: 5, until: new Date(vault.clock.now + 60_000).toISOString() }),
  ],
  ['rules accept', '/rules/accept', () => ({ id: pending_id })],
  ['audit export', '/audit/export', () => ({})],
];

describe('while the table of the audit is missing', () => {
  beforeAll(() => queryRows('alter table vault.audit rename to audit_elsewhere'));
  afterAll(() => queryRows('alter table vault.audit_elsewhere rename to audit'));

  test.each(commands)('%s fails with the cause and next step, and does nothing', async (...row) => {
    const [, path, body] = row;
    const before = await readEffects();
    expect(await vault.admin(path, body())).toEqual({
      ok: false,
      sentences: [
        expect.stringMatching(
          /^The audit entry cannot be written \(42P01\), so the command did nothing\. .* repeat/,
        ),
      ],
    });
    expect(await readEffects()).toBe(before);
  });

  test('a destruction of the server fails, and the card stays', async () => {
    const before = await readEffects();
    expect((await vault.post('/destroy', { ...scope, card_pan_token })).status).toBe(500);
    expect(await readEffects()).toBe(before);
  });

  test.each<[name: string, path: string, body: object]>([
    ['stored', '/processor-accounts/store', accountRequest('the second key')],
    [
      'given other rules',
      '/processor-accounts/egress',
      { ...account, egress: [{ ...rule, path: '/other' }] },
    ],
    ['removed', '/processor-accounts/remove', account],
  ])('an account that is %s by the server stays as it is', async (_name, path, body) => {
    const before = await readEffects();
    expect((await vault.post(path, body)).status).toBe(500);
    expect(await readEffects()).toBe(before);
  });

  test('audit verify fails with the cause too', async () => {
    expect(await vault.admin('/audit/verify')).toEqual({
      ok: false,
      sentences: ['The vault failed (42P01): see its log.'],
    });
  });
});

test('a command waits for a locked audit as long as for any statement, and then does nothing', async () => {
  const client = new pg.Client({ connectionString: vault.database.url });
  await client.connect();
  await client.query('begin; lock table vault.audit in access exclusive mode');
  const before = await readEffects();
  const { ok, sentences } = await vault.admin('/rotate', { key: 'epoch' });
  expect([ok, sentences.join()]).toEqual([
    false,
    expect.stringMatching(
      /^The audit entry cannot be written \(57014\), so the command did nothing/,
    ),
  ]);
  expect(await readEffects()).toBe(before);
  await client.query('rollback');
  await client.end();
}, 40_000);

test('no other login of the database keeps entries out of the audit', async () => {
  const login = `stranger_${randomUUID().slice(0, 8)}`;
  await queryRows(`create role ${login} login password '${login}'`);
  const url = Object.assign(new URL(vault.database.url), { username: login, password: login });
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query('select pg_advisory_lock($1)', [EARLIER_AUDIT_LOCK]);
  expect(await vault.admin('/rotate', { key: 'epoch' })).toMatchObject({ ok: true });
  await expect(client.query('select from vault.audit_lock for update')).rejects.toThrow(
    'permission denied',
  );
  await client.end();
  await queryRows(`drop role ${login}`);
});

test('requests that the audit did not take are in it later, and each command again has its request first', async () => {
  await expect
    .poll(async () => (await vault.admin('/rotate', { key: 'epoch' })).ok, { timeout: 15_000 })
    .toBe(true);
  const entries = (await queryRows('select verb, outcome from vault.audit order by seq')).map(
    ({ verb, outcome }) => `${verb} ${outcome}`,
  );
  expect(entries).toContain('destroy_root requested: version 1');
  expect(entries.slice(-2)).toEqual(['rotate_epoch requested', 'rotate_epoch opened']);
  expect(await vault.admin('/audit/verify')).toMatchObject({ ok: true });
});
