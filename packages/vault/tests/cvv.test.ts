import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CardDescription, RelayRequest, SealingKey } from '@florin/contract/protocol/vault.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CVV_LIFE_MS } from '../src/keys/cvv-epochs.ts';
import { abandon } from './support/abandon.ts';
import { startNetwork } from './support/network.ts';
import { createTestDatabase, type TestDatabase } from './support/postgres.ts';
import { seal } from './support/sealer.ts';
import { call, compileCache, startTestVault, type TestVault } from './support/vault.ts';

let network: Awaited<ReturnType<typeof startNetwork>>;
beforeAll(async () => {
  network = await startNetwork();
});
afterAll(() => network[Symbol.asyncDispose]());

const createAuthorisation = (card: CardDescription, path: string): RelayRequest => ({
  id: 'attempt-1',
  merchant_id: 'merchant-a',
  mode: 'sandbox',
  card_pan_token: card.card_pan_token,
  card_cvv_token: card.card_cvv_token!,
  consumes_cvv: true,
  method: 'POST',
  url: `${network.origin}${path}`,
  headers: {},
  body: { number: null, cvv: null },
  card_fields: { '/number': 'pan', '/cvv': 'cvv' },
  timeout_ms: 60_000,
  not_after: Number.MAX_SAFE_INTEGER,
});

describe('in the files of the database', () => {
  let vault: TestVault;
  beforeAll(async () => {
    vault = await startTestVault([network.origin]);
  });
  afterAll(() => vault?.[Symbol.asyncDispose]());
  const queryRows = (sql: string, values: unknown[] = []) => vault.database.query(sql, values);

  /** Bytes of the write-ahead log from a position on. */
  async function readLogSince(lsn: string): Promise<Buffer> {
    await queryRows('checkpoint');
    const [logFile] = await queryRows(
      `select current_setting('data_directory') as directory, pg_walfile_name($1::pg_lsn) as first`,
      [lsn],
    );
    const directory = join(String(logFile!.directory), 'pg_wal');
    const segments = readdirSync(directory).filter(
      (name) => /^[0-9A-F]{24}$/.test(name) && name >= String(logFile!.first),
    );
    return Buffer.concat(segments.map((name) => readFileSync(join(directory, name))));
  }

  /** Stores a card with its value. Returns whether the log contains each of them and the value's key. */
  async function ingestAndReadLog() {
    const [{ lsn } = {}] = await queryRows('select pg_current_wal_lsn()::text as lsn');
    const { card_pan_token, card_cvv_token } = await vault.ingest();
    const [card] = await queryRows('select ciphertext from vault.cards where token = $1', [
      card_pan_token,
    ]);
    const [cvv] = await queryRows(
      `select cvv.ciphertext, epoch.wrapped from vault.cvvs cvv join vault.cvv_epochs epoch on epoch.id = cvv.epoch_id
       where token = $1`,
      [card_cvv_token],
    );
    const log = await readLogSince(String(lsn));
    return {
      card: log.includes(card!.ciphertext as Buffer) && log.includes(card_cvv_token!),
      value: log.includes(cvv!.ciphertext as Buffer),
      key: log.includes(cvv!.wrapped as Buffer),
    };
  }

  test('#21 the write-ahead log contains the card, but neither the sealed value nor its key', async () => {
    // A record may cross two log pages or lie in a recycled log file, so the test stores several cards.
    const results: Awaited<ReturnType<typeof ingestAndReadLog>>[] = [];
    const isCardLogged = async () => results[results.push(await ingestAndReadLog()) - 1]?.card;
    await expect.poll(isCardLogged, { timeout: 10_000 }).toBe(true);
    expect(results.filter(({ value, key }) => value || key)).toEqual([]);
  });

  test('#21 both tables are unlogged: a database crash empties them, and no replica has them', async () => {
    const tables = await queryRows(
      `select relname, relpersistence from pg_class
       where oid in ('vault.cvvs'::regclass, 'vault.cvv_epochs'::regclass) order by 1`,
    );
    expect(tables).toEqual([
      { relname: 'cvv_epochs', relpersistence: 'u' },
      { relname: 'cvvs', relpersistence: 'u' },
    ]);
    // The empty file that replaces a table's file after a crash, and that a base backup contains.
    for (const table of ['cvvs', 'cvv_epochs']) {
      const [tableFile] = await queryRows(
        `select current_setting('data_directory') as directory, pg_relation_filepath($1) as path`,
        [`vault.${table}`],
      );
      expect(existsSync(`${tableFile!.directory}/${tableFile!.path}_init`)).toBe(true);
    }
  });

  test('#21 the database statistics contain no sealed value and no wrapped key', async () => {
    for (let i = 0; i < 3; i++) await vault.ingest();
    await vault.admin('/audit/export');
    await queryRows('analyze');
    const sampledColumns = await queryRows(
      `select tablename || '.' || attname as name from pg_stats join pg_attribute using (attname)
       where schemaname = 'vault' and attrelid = format('%I.%I', schemaname, tablename)::regclass
         and atttypid = 'bytea'::regtype order by 1`,
    );
    // Audit hashes and the public key of audit heads are no secrets.
    expect(sampledColumns.map(({ name }) => name)).toEqual([
      'audit.hash',
      'audit.prev_hash',
      'audit_keys.public_key',
    ]);
  });

  // If a table is locked or a transaction is open, the next sweep handles it half a minute later.
  const LONG_TIMEOUT_MS = 75_000;
  const LIMIT_MS = 90_000;

  test('#21 the files of both tables are empty once a sweep has removed the last value', {
    timeout: LIMIT_MS,
  }, async () => {
    const readTableSize = async () =>
      (
        await queryRows(
          `select pg_relation_size('vault.cvvs')::int + pg_relation_size('vault.cvv_epochs')::int as bytes`,
        )
      )[0]!.bytes;
    await vault.ingest();
    expect(await readTableSize()).toBeGreaterThan(0);
    vault.clock.now += 2 * CVV_LIFE_MS;
    await vault.restart();
    await expect.poll(readTableSize, { timeout: LONG_TIMEOUT_MS, interval: 200 }).toBe(0);
  });

  /** Flushes pages of unlogged tables too, which a plain checkpoint does not. */
  async function flushUnlogged(): Promise<void> {
    const [{ name } = {}] = await queryRows(`select current_database() || '_flush' as name`);
    await queryRows(`create database ${name} template template0 strategy file_copy`);
    await queryRows(`drop database ${name}`);
  }

  test('#21 a used value is removed from a file that still holds others', {
    timeout: LIMIT_MS,
  }, async () => {
    const keptCard = await vault.ingest();
    const usedCard = await vault.ingest();
    const [row] = await queryRows('select ciphertext from vault.cvvs where token = $1', [
      usedCard.card_cvv_token,
    ]);
    await vault.relay(createAuthorisation(usedCard, '/approve'));
    const isInFile = async (): Promise<boolean> => {
      await flushUnlogged();
      const [tableFile] = await queryRows(
        `select current_setting('data_directory') || '/' || pg_relation_filepath('vault.cvvs') as path`,
      );
      return readFileSync(String(tableFile!.path)).includes(row!.ciphertext as Buffer);
    };
    expect(await isInFile()).toBe(true);
    // Only the first sweep of a start rewrites the file, and keeps the value while a transaction may see it.
    const isInFileAfterStart = async (): Promise<boolean> => {
      await vault.restart();
      return isInFile();
    };
    await expect
      .poll(isInFileAfterStart, { timeout: LONG_TIMEOUT_MS, interval: 1_000 })
      .toBe(false);
    const [{ count } = {}] = await queryRows(
      'select count(*)::int as count from vault.cvvs where token = $1',
      [keptCard.card_cvv_token],
    );
    expect(count).toBe(1);
  });

  test.each<[ending: string, path: string, outcome: string]>([
    ['an approval', '/approve', 'answered'],
    ['a decline', '/decline', 'answered'],
    ['an answer that cannot be read', '/garbage', 'lost'],
    ['an answer that is too long', '/huge', 'lost'],
    ['an answer that is cut', '/cut', 'lost'],
    ['a connection that is reset', '/reset', 'lost'],
    ['a timeout', '/hang', 'lost'],
  ])(
    '#21 after %s there is no value, and no second authorisation has one',
    async (_ending, path, outcome) => {
      const card = await vault.ingest();
      const request = { ...createAuthorisation(card, path), timeout_ms: 300 };
      network.received.length = 0;
      expect((await vault.relay(request))[0]?.outcome).toBe(outcome);
      const params = [card.card_cvv_token];
      expect(await queryRows('select from vault.cvvs where token = $1', params)).toEqual([]);
      await vault.relay(createAuthorisation(card, '/approve'));
      expect(network.received.map(({ body }) => body.includes('987'))).toEqual([true, false]);
    },
  );

  test.each([
    ['merchant', { merchant_id: 'merchant-z' }],
    ['token', { token: 'cvv_moved' }],
    ['mode', { mode: 'live' as const }],
  ])('#21 a value that was moved to another %s is not sent', async (_name, changes) => {
    const { card_cvv_token } = await vault.ingest();
    const owner = { merchant_id: 'merchant-a', mode: 'sandbox' as const, token: card_cvv_token! };
    const { token, ...scope } = { ...owner, ...changes };
    const card = await vault.ingest(scope);
    await queryRows(
      'update vault.cvvs set merchant_id = $1, mode = $2, token = $3, card_token = null where token = $4',
      [scope.merchant_id, scope.mode, token, card_cvv_token],
    );
    network.received.length = 0;
    const request = createAuthorisation({ ...card, card_cvv_token: token }, '/approve');
    expect(await vault.relay({ ...request, ...scope })).toMatchObject([
      { outcome: 'not_sent', why: 'record_unreadable' },
    ]);
    expect(network.received).toEqual([]);
  });

  test('#21 a copy of the value cannot be opened once its epoch is deleted', async () => {
    const card = await vault.ingest();
    await queryRows('create table public.cvv_copy as table vault.cvvs');
    vault.clock.now += 2 * CVV_LIFE_MS;
    await vault.restart();
    await expect
      .poll(() => queryRows('select id from vault.cvv_epochs'), { timeout: 15_000 })
      .toEqual([]);
    await vault.ingest();
    await queryRows(
      `insert into vault.cvvs select cvv.merchant_id, cvv.mode, cvv.token, epoch.id, cvv.ciphertext, now() + interval '1 year'
       from public.cvv_copy cvv, vault.cvv_epochs epoch where epoch.mode = cvv.mode`,
    );
    const [answer] = await vault.relay(createAuthorisation(card, '/approve'));
    expect(answer).toMatchObject({ outcome: 'not_sent', why: 'record_unreadable' });
  });
});

describe('a vault that is killed', () => {
  const tempDir = mkdtempSync(join(tmpdir(), 'vault-'));
  const socketPath = join(tempDir, 'vault.sock');
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(async () => {
    await database?.drop();
    rmSync(tempDir, { recursive: true });
  });

  async function startVault(): Promise<ChildProcess> {
    const child = fork(new URL('../src/main.ts', import.meta.url), {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: {
        VAULT_SOCKET: socketPath,
        VAULT_DATABASE_URL: database.url,
        VAULT_DATA: tempDir,
        VAULT_EGRESS: network.origin,
        ...compileCache,
      },
    });
    expect((await once(child, 'message'))[0]).toEqual({ type: 'ready' });
    return child;
  }

  async function kill(child: ChildProcess): Promise<void> {
    const exitPromise = once(child, 'exit');
    child.kill('SIGKILL');
    await exitPromise;
  }

  async function ingest(): Promise<CardDescription> {
    const keys = JSON.parse((await call(socketPath, 'GET', '/keys')).text) as SealingKey[];
    const key = keys.find(({ mode }) => mode === 'sandbox')!;
    const session = { sid: 'session', now: Date.now() };
    const year = new Date().getFullYear() + 2;
    const content = { pan: '4242424242424242', expiry_month: 12, expiry_year: year };
    const [pan_jwe, cvv_jwe] = [
      await seal(key, content, session),
      await seal(key, { cvv: '987' }, session),
    ];
    const source = { kind: 'sealed', pan_jwe, cvv_jwe, sid: session.sid };
    const answer = await call(socketPath, 'POST', '/ingest', {
      merchant_id: 'merchant-a',
      mode: 'sandbox',
      source,
    });
    return JSON.parse(answer.text) as CardDescription;
  }

  const queryRemaining = () => database.query('select token from vault.cvvs');

  test('#21 leaves no value that the network has, and others to the next vault, which deletes them when they expire', async () => {
    const child = await startVault();
    const card = await ingest();
    const otherCard = await ingest();
    expect(await queryRemaining()).toHaveLength(2);
    network.received.length = 0;
    await abandon(socketPath, { requests: [createAuthorisation(card, '/hang')] });
    await expect.poll(() => network.received, { timeout: 15_000 }).toHaveLength(1);
    await kill(child);
    expect(await queryRemaining()).toEqual([{ token: otherCard.card_cvv_token }]);
    await database.query(`update vault.cvvs set expires_at = now()`);
    const nextVault = await startVault();
    await expect.poll(queryRemaining, { timeout: 15_000 }).toEqual([]);
    await kill(nextVault);
  });
});
