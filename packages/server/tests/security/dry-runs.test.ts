import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bareEnv } from '@florin/dev-env/config/env.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readLast, storeCheck } from '../../src/features/audit-log/sql.ts';
import { type Database, openDatabase } from '../../src/platform/database/db.ts';
import { useDatabase } from '../support/database.ts';

const BIN = join(import.meta.dirname, '../../src/bin');
const database = useDatabase();
const dataDir = mkdtempSync(join(tmpdir(), 'florin-dry-run-'));
let db: Database;

const run = (words: string) => {
  const [script = '', ...rest] = words.split(' ');
  const env = bareEnv({
    DATABASE_URL: database.url,
    FLORIN_DATA: dataDir,
    FLORIN_PUBLIC_URL: 'http://localhost:4000',
  });
  const { stdout, stderr } = spawnSync(process.execPath, [join(BIN, script), ...rest], { env });
  return `${stdout}${stderr}`;
};

/** Hashes of all tables, by name. */
async function hashTables(): Promise<Record<string, unknown>> {
  const tables = await db.query(
    `select table_name as name from information_schema.tables
     where table_schema = current_schema() and table_type = 'BASE TABLE' order by 1`,
    [],
  );
  const hashes: Record<string, unknown> = {};
  for (const { name } of tables) {
    const sql = `select md5(coalesce(string_agg(t::text, ',' order by t::text), '')) as hash from ${name} t`;
    hashes[name as string] = (await db.query(sql, []))[0]?.hash;
  }
  return hashes;
}

beforeAll(async () => {
  db = openDatabase({ url: database.url, connections_max: 1 });
  expect(run('set-operator.ts invite ada@example.com')).toContain('Open this link');
  const head = (await readLast(db)) as NonNullable<Awaited<ReturnType<typeof readLast>>>;
  await storeCheck(db, { head, fault: 'entry 1 was changed' }, new Date().toISOString());
  await db.query("insert into installation_facts (name, value) values ('card_network', 'n1')", []);
});
afterAll(async () => {
  await db[Symbol.asyncDispose]();
  rmSync(dataDir, { recursive: true, force: true });
});

it.each([
  ['set-operator.ts invite bob@example.com', 'makes the person who opens it an operator:\nLINK'],
  ['set-operator.ts remove ada@example.com', 'ada@example.com is no longer an operator.'],
  ['set-operator.ts add bob@example.com', 'No active account has the address'],
  ['adopt.ts network', 'The next start sets the card network of this database.'],
  ['adopt.ts secrets-key', 'The key of this data directory (fingerprint '],
  ['audit.ts accept', 'Accepted: entry 1 was changed. The checks continue.'],
  ['restored.ts close 2026-11-28T10:00:00Z', 'The installation is closed'],
])('a dry run of %s answers as the command would, and changes nothing', async (words, answer) => {
  const before = await hashTables();
  const output = run(`${words} --dry-run`);
  expect(output).toMatch(/^Nothing was changed\. Without --dry-run, the command would answer:\n/);
  expect(output).toContain(answer);
  expect(await hashTables()).toEqual(before);
  expect(readdirSync(dataDir)).toEqual([]);
});

it('a dry run is refused while Florin runs, as the command is', async () => {
  const heartbeat = `insert into heartbeats (process_id, loop, host, pid, poll_ms, started_at, seen_at)
    values (gen_random_uuid(), 'bill', 'api-1', 7, 1000, now(), now())`;
  await db.query(heartbeat, []);
  for (const words of ['adopt.ts secrets-key', 'restored.ts close 2026-11-28T10:00:00Z'])
    expect(run(`${words} --dry-run`)).toContain('Florin runs on api-1 (process 7)');
});

it('a database is not closed as restored to a time in the future', () => {
  expect(run('restored.ts close 2999-01-01T00:00:00Z')).toContain(
    'Nothing was changed: 2999-01-01T00:00:00Z is in the future.',
  );
});
