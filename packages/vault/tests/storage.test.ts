import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { factsOf } from '@florin/contract/migrations/facts.ts';
import type { RelayRequest } from '@florin/contract/protocol/vault.ts';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../src/store/db.ts';
import {
  commandMigration,
  describeVaultSchema,
  migrate,
  readVaultHistory,
  readVaultSchema,
} from '../src/store/migrate.ts';
import { createTestDatabase } from './support/postgres.ts';
import { useVault, type VaultContext } from './support/use-vault.ts';
import { dumpDatabase, type TestVault } from './support/vault.ts';

const NUMBER = '4242424242424242';
const CVV = '987';

let network: VaultContext['network'];
let vault: TestVault;
useVault((context) => {
  ({ network, vault } = context);
});

const createRequest = (merchant_id: string, pan: string, cvv?: string): RelayRequest => ({
  id: 'attempt-1',
  merchant_id,
  mode: 'sandbox',
  card_pan_token: pan,
  ...(cvv && { card_cvv_token: cvv }),
  consumes_cvv: false,
  method: 'POST',
  url: `${network.origin}/approve`,
  headers: {},
  body: { number: null },
  card_fields: { '/number': 'pan' },
  timeout_ms: 3_000,
  not_after: Number.MAX_SAFE_INTEGER,
});

/** The digits as plain text, in PostgreSQL's hexadecimal, and in base64. */
const encodingsOf = (digits: string): string[] => [
  digits,
  Buffer.from(digits).toString('hex'),
  Buffer.from(digits).toString('base64').replace(/=+$/, ''),
];

describe('stored data', () => {
  test('has neither number nor verification value in any column of any table', async () => {
    const { card_pan_token } = await vault.ingest();
    const dump = await dumpDatabase(vault.database);
    expect(dump).toContain(card_pan_token);
    expect(encodingsOf(NUMBER).filter((encoding) => dump.includes(encoding))).toEqual([]);
    const [row] = await vault.database.query('select ciphertext from vault.cvvs');
    expect((row!.ciphertext as Buffer).includes(CVV)).toBe(false);
  });

  test('keeps verification values out of the write-ahead log', async () => {
    const rows = await vault.database.query(
      `select relpersistence from pg_class where oid = 'vault.cvvs'::regclass`,
    );
    expect(rows).toEqual([{ relpersistence: 'u' }]);
  });

  test.each<[string, string]>([
    ['to another merchant', `merchant_id = 'merchant-b'`],
    ['to another token', `token = 'pan_other'`],
  ])('cannot be opened if a card is moved %s', async (_name, change) => {
    await vault.ingest({ merchant_id: 'merchant-b' });
    const { card_pan_token } = await vault.ingest();
    const [row] = await vault.database.query(
      `update vault.cards set ${change} where token = $1 returning merchant_id, token`,
      [card_pan_token],
    );
    const request = createRequest(String(row!.merchant_id), String(row!.token));
    expect(await vault.relay(request)).toMatchObject([
      { outcome: 'not_sent', why: 'record_unreadable' },
    ]);
  });

  test('cannot be opened if a card is moved together with its merchant’s key', async () => {
    const { card_pan_token } = await vault.ingest({ merchant_id: 'merchant-c' });
    await vault.database.query(
      `insert into vault.keks select 'merchant-d', mode, version, wrapped, created_at from vault.keks where merchant_id = 'merchant-c'`,
    );
    await vault.database.query(
      `update vault.cards set merchant_id = 'merchant-d' where token = $1`,
      [card_pan_token],
    );
    const [answer] = await vault.relay(createRequest('merchant-d', card_pan_token));
    expect(answer).toMatchObject({ outcome: 'not_sent', why: 'record_unreadable' });
  });

  test('is never sealed under a key that was moved from another merchant', async () => {
    await vault.ingest({ merchant_id: 'merchant-e' });
    await vault.database.query(
      `insert into vault.keks select 'merchant-f', mode, version, wrapped, created_at from vault.keks where merchant_id = 'merchant-e'`,
    );
    const request = await vault.sealedRequest({ merchant_id: 'merchant-f' });
    expect((await vault.post('/ingest', request)).status).toBe(500);
  });
});

test('the log names events and merchants, never a card', async () => {
  const { card_pan_token, card_cvv_token } = await vault.ingest();
  await vault.post('/ingest', `{"pan":"${NUMBER}`);
  await vault.post('/ingest', await vault.sealedRequest({ cvv: { content: { cvv: NUMBER } } }));
  await vault.relay(createRequest('merchant-a', card_pan_token, card_cvv_token));
  const lines = vault.log.join('');
  expect(lines).toContain('"event":"card_ingested","merchant_id":"merchant-a"');
  expect(lines).toContain('"outcome":"invalid_card"');
  expect(lines).not.toMatch(/\d{12}(?!\d*Z)/);
});

describe('the root key', () => {
  const keyPath = () => join(vault.config.dataDir, 'root.key');

  test('is 32 bytes that only their owner may read', () => {
    expect(statSync(keyPath()).mode & 0o777).toBe(0o600);
    expect(readFileSync(keyPath())).toHaveLength(32);
  });

  test.each<[string, (bytes: Buffer) => Buffer | undefined, RegExp]>([
    ['missing', () => undefined, /^The root key .*root\.key is missing\. .*Restore .*backup\.$/],
    ['another', () => Buffer.alloc(32, 1), /is not the key of the stored cards/],
    ['cut short', (bytes) => bytes.subarray(1), /must have 32 bytes but has 31/],
  ])('that is %s prevents the start of the vault', async (_name, change, message) => {
    await vault.ingest();
    const originalKey = readFileSync(keyPath());
    const changedKey = change(originalKey);
    renameSync(keyPath(), `${keyPath()}.kept`);
    if (changedKey) writeFileSync(keyPath(), changedKey);
    await expect(vault.restart()).rejects.toThrow(message);
    renameSync(`${keyPath()}.kept`, keyPath());
    await vault.restart();
    expect((await vault.get('/health')).status).toBe(200);
  });
});

describe('starting', () => {
  test('on a database of a newer version is refused in one sentence', async () => {
    await vault.database.query(
      `insert into vault.migrations (version, name) values (9999, 'later')`,
    );
    await expect(vault.restart()).rejects.toThrow(
      /^The vault cannot use its database\. The database was made by a newer Florin \(it has later\)/,
    );
    await vault.database.query('delete from vault.migrations where version = 9999');
    await vault.restart();
  });

  test('on a database from before checksums stores them, if it matches the migrations', async () => {
    const queryChecksums = () =>
      vault.database.query('select name, checksum from vault.migrations order by version');
    const checksumsBefore = await queryChecksums();
    expect(checksumsBefore).toHaveLength((await readVaultHistory()).files.length);
    await vault.database.query('alter table vault.migrations drop column checksum');
    await vault.database.query('alter table vault.cards alter column brand drop not null');
    await expect(vault.restart()).rejects.toThrow(/It lacks "column cards\.brand text not null"\./);
    await vault.database.query('alter table vault.cards alter column brand set not null');
    await vault.restart();
    expect(await queryChecksums()).toEqual(checksumsBefore);
  });

  test('on a database that applied other content of a migration is refused', async () => {
    await vault.database.query(
      `update vault.migrations set checksum = 'x' || checksum where version = 2`,
    );
    await expect(vault.restart()).rejects.toThrow(/applied other contents of 0002-rotation/);
    await vault.database.query(
      'update vault.migrations set checksum = substr(checksum, 2) where version = 2',
    );
    await vault.restart();
  });

  test('gives no rights on tables of a release that migrates at the same time', async () => {
    await using stack = new AsyncDisposableStack();
    const database = await createTestDatabase();
    stack.defer(() => database.drop());
    const db = stack.use(await openDatabase(database.url, () => {}));
    await migrate(db);
    // Every server has this role, and nobody gave it tables.
    const role = 'pg_signal_backend';
    const isGiven = async () => {
      const sql = `select has_table_privilege('${role}', 'vault.cards', 'select') as given`;
      return (await db.query<{ given: boolean }>(sql))[0]?.given;
    };
    const options = { grant_to: role, runs_on_newer: true };
    let started: Promise<void> | undefined;
    await db.transaction(async (newer) => {
      await newer.query('select pg_advisory_xact_lock(7238104511)');
      started = migrate(db, () => {}, options);
      await expect
        .poll(() => db.query(`select from pg_locks where locktype = 'advisory' and not granted`), {
          interval: 5,
        })
        .toHaveLength(1);
      await newer.query(
        `insert into vault.migrations (version, name, checksum, phase) values (9998, '9998-next.sql', 'x', 'expand')`,
      );
    });
    await started;
    expect(await isGiven()).toBe(false);
    await db.query('delete from vault.migrations where version = 9998');
    await migrate(db, () => {}, options);
    expect(await isGiven()).toBe(true);
  });

  test('at the first stored checksum has the facts that earlier databases are compared with', async () => {
    const history = await readVaultHistory();
    const { through, facts } = history.adoption;
    await using stack = new AsyncDisposableStack();
    const database = await createTestDatabase();
    stack.defer(() => database.drop());
    const db = stack.use(await openDatabase(database.url, () => {}));
    const files = history.files.filter(({ name }) => name <= through);
    await migrate(db, () => {}, { history: { ...history, files } });
    expect(await factsOf(db, `'vault'`, ['migrations'])).toEqual(await facts());
  });

  test('on the recorded schema is what `florin migrate verify` expects', async () => {
    await using database = await openDatabase(vault.database.url, () => {});
    expect(await describeVaultSchema(database)).toEqual(await readVaultSchema());
    const lines: string[] = [];
    const verify = () =>
      commandMigration(database, {}, { action: 'verify', print: (line) => lines.push(line) });
    expect(await verify()).toBe(0);
    await database.query('alter table vault.cards alter column brand drop not null');
    expect(await verify()).toBe(1);
    await database.query('alter table vault.cards alter column brand set not null');
    expect(lines).toContain('Missing: column cards.brand text not null');
  });
});
