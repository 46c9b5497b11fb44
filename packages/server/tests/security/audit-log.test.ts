import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withClient } from '@florin/cli/database/client.ts';
import { mountSmallDisk } from '@florin/dev-env/small-disk.ts';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { headText } from '../../src/features/audit-log/chain.ts';
import { checkAuditLog } from '../../src/features/audit-log/check.ts';
import {
  acceptAuditFault,
  pruneAuditLog,
  readCheck,
  readLast,
} from '../../src/features/audit-log/sql.ts';
import { AUDIT_DAYS, verifyAuditLog } from '../../src/features/audit-log/verify.ts';
import { systemClock } from '../../src/platform/time/clock.ts';
import { useOwnStack } from '../support/api.ts';
import { type Browser, signIn } from '../support/browser.ts';
import { documentOf } from '../support/client.ts';
import { makeHook } from '../support/hooks.ts';
import { eventually, makeCustomer } from '../support/make.ts';
import { operatorOf } from '../support/operator.ts';

const api = useOwnStack();
const BIN = join(import.meta.dirname, '../../src/bin/audit.ts');
const logger = { error: () => {} };
let browser: Browser;
let merchantId: string;
let scope: Record<string, string>;

beforeAll(async () => {
  merchantId = (await api.fixtures.getDemoMerchant()).id;
  scope = { 'florin-merchant': merchantId, 'florin-mode': 'sandbox' };
  browser = await signIn(api.stack.baseUrl, api.stack.credentials.account);
});

const customer = documentOf('customers', { name: 'Ada', email: 'ada@example.com' });
const writeAsMember = () => browser.send('POST', '/v2/customers', customer, scope);

interface Logged {
  readonly event: string;
  readonly table?: string;
  readonly row?: Readonly<Record<string, unknown>>;
  readonly person?: { readonly email: string } | null;
}

/** Entries after a number, oldest first. */
async function entriesAfter(seq: number): Promise<Logged[]> {
  const rows = await api.fixtures.db.query(
    'select entry from audit_log where seq > $1 order by seq',
    [seq],
  );
  return rows.map(({ entry }) => JSON.parse(entry as string) as Logged);
}

const lastSeq = async (): Promise<number> => (await readLast(api.fixtures.db))?.seq ?? 0;
const verify = (expected?: Parameters<typeof verifyAuditLog>[2]) =>
  verifyAuditLog(api.fixtures.db, () => {}, expected);

/** Runs SQL as somebody who owns the tables and has switched off the triggers. */
const forge = (sql: string): Promise<void> =>
  withClient(api.stack.adminDatabaseUrl, async (client) => {
    await client.query(`set session_replication_role = replica; ${sql}`);
  });

describe('the audit log', () => {
  it('has a member’s write before and after it, with the name of the person', async () => {
    const start = await lastSeq();
    const { status, body } = await writeAsMember();
    expect(status).toBe(201);
    const entries = (await entriesAfter(start)).filter(
      ({ row }) => row?.action === 'POST /v2/customers',
    );
    expect(entries.map(({ event, row }) => [event, row?.outcome])).toEqual([
      ['insert', null],
      ['update', 201],
    ]);
    expect(entries[1]?.row?.record_id).toBe(body.data.id);
    expect(entries[0]?.person?.email).toBe(api.stack.credentials.account.email);
  });

  it('has the reads and the actions of operators, with their reasons', async () => {
    const start = await lastSeq();
    const operator = operatorOf(api);
    await operator.get(`/merchants/${merchantId}`);
    await operator.get(`/merchants/${merchantId}`);
    await operator.change('POST', `/merchants/${merchantId}/notes`, { reason: 'Asked for papers' });
    const entries = await entriesAfter(start);
    const reads = entries.filter(
      ({ row, event }) => event === 'insert' && String(row?.action).startsWith('GET'),
    );
    expect(reads.map(({ row }) => [row?.action, row?.record_id])).toEqual([
      ['GET /dashboard/api/operator/merchants/:merchant', merchantId],
    ]);
    const notes = entries.filter(({ table }) => table === 'oversight_entries');
    expect(notes.map(({ row }) => row?.reason)).toEqual(['Asked for papers']);
  });

  it('has what an operator reads of a merchant, who does not see that', async () => {
    const start = await lastSeq();
    const shop = await api.fixtures.makeMerchant({ business_name: 'Unrelated' });
    const headers = { 'florin-merchant': shop.id, 'florin-mode': 'live' };
    for (const path of ['/v2/customers', '/v2/customers', '/dashboard/api/search?q=lovelace'])
      expect((await browser.get(path, headers)).status, path).toBe(200);
    const reads = (await entriesAfter(start)).filter(
      ({ event, row }) => event === 'insert' && row?.record_id === shop.id,
    );
    expect(reads.map(({ row }) => [row?.action, row?.merchant_id])).toEqual([
      ['GET /v2/customers', null],
      ['GET /dashboard/api/search', null],
    ]);
  });

  it('has a read that was refused before, because its entry could not be stored', async () => {
    const start = await lastSeq();
    const shop = await api.fixtures.makeMerchant({ business_name: 'Unlogged' });
    const headers = { 'florin-merchant': shop.id, 'florin-mode': 'live' };
    const alter = (change: string) =>
      withClient(api.stack.adminDatabaseUrl, (client) =>
        client.query(`alter table audit_entries ${change}`),
      );
    await alter(`add constraint refused check (record_id <> '${shop.id}') not valid`);
    expect((await browser.get('/v2/customers', headers)).status).toBe(500);
    await alter('drop constraint refused');
    expect((await browser.get('/v2/customers', headers)).status).toBe(200);
    const reads = (await entriesAfter(start)).filter(({ row }) => row?.record_id === shop.id);
    expect(reads[0]?.row?.action).toBe('GET /v2/customers');
  });

  it('has a sandbox key on a live record, also if its first entry could not be stored', async () => {
    const start = await lastSeq();
    const { id } = await makeCustomer(api.live);
    const asAdmin = (sql: string) =>
      withClient(api.stack.adminDatabaseUrl, async (client) => (await client.query(sql)).rows);
    const cross = async () =>
      expect((await api.client.get(`/v2/customers/${id}`)).status).toBe(404);
    const readCommands = async () =>
      (await entriesAfter(start)).filter((entry) => JSON.stringify(entry).includes('sandbox key'));
    // A sequence keeps its value when the failed call is rolled back.
    await asAdmin(`create sequence refused_entries; grant usage on refused_entries to public;
      alter function append_audit_command rename to kept_audit_command;
      create function append_audit_command(text, text, text) returns void language plpgsql as
        $$ begin perform nextval('refused_entries'); raise exception 'full'; end $$`);
    await cross();
    await eventually(
      () => asAdmin('select is_called from refused_entries'),
      ([sequence]) => sequence?.is_called,
    );
    await asAdmin(`drop function append_audit_command; drop sequence refused_entries;
      alter function kept_audit_command rename to append_audit_command`);
    const crossAgain = async () => {
      await cross();
      return readCommands();
    };
    expect(await eventually(crossAgain, (entries) => entries.length > 0)).toHaveLength(1);
  });

  it('has writes with API keys to settings, and the merchant sees which key', async () => {
    const start = await lastSeq();
    await makeHook(api.client);
    await api.client.send('POST', '/v2/customers', customer);
    const entries = (await entriesAfter(start)).filter(({ row }) => row?.merchant_token_id);
    expect(new Set(entries.map(({ row }) => row?.action))).toEqual(
      new Set(['POST /v2/webhook_subscriptions']),
    );
    const { body } = await browser.get(
      '/dashboard/api/audit_entries?action=webhook_subscriptions',
      scope,
    );
    expect(body.data[0]).toMatchObject({
      account: null,
      merchant_token: { name: expect.any(String) },
    });
  });

  it('tells the merchant a preview of a merge from a merge', async () => {
    const parties = {
      source: await makeCustomer(api.client),
      target: await makeCustomer(api.client),
    };
    for (const dry_run of [true, false]) {
      const merge = documentOf('customer_merges', { dry_run }, parties);
      expect((await browser.send('POST', '/v2/customer_merges', merge, scope)).status).toBe(201);
    }
    await writeAsMember();
    const { body } = await browser.get('/dashboard/api/audit_entries?action=customer', scope);
    const newest = body.data
      .slice(0, 3)
      .map(({ action, dry_run }: Record<string, unknown>) => [action, dry_run]);
    expect(newest).toEqual([
      ['POST /v2/customers', null],
      ['POST /v2/customer_merges', false],
      ['POST /v2/customer_merges', true],
    ]);
  });

  it('lists the entries of a period', async () => {
    await writeAsMember();
    const list = async (query: string): Promise<{ status: number; times: string[] }> => {
      const { status, body } = await browser.get(`/dashboard/api/audit_entries?${query}`, scope);
      const entries: { created_at: string }[] = body.data ?? [];
      return { status, times: entries.map(({ created_at }) => created_at) };
    };
    const { times } = await list('');
    const [newest = '', second = ''] = times;
    expect((await list(`from=${newest}`)).times).toEqual([newest]);
    expect((await list(`before=${newest}`)).times.slice(0, 1)).toEqual([second]);
    expect((await list(`from=${second}&before=${newest}`)).times).toEqual([second]);
    expect((await list(`from=2999-01-01T00:00:00Z`)).times).toEqual([]);
    for (const refused of ['from=today', 'before=2027-13-01T00:00:00Z'])
      expect((await list(refused)).status).toBe(422);
  });

  it('stays one chain when many write at once', async () => {
    const start = await lastSeq();
    const answers = await Promise.all(Array.from({ length: 20 }, writeAsMember));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect((await lastSeq()) - start).toBeGreaterThanOrEqual(40);
    expect((await verify()).faults).toEqual([]);
  });
});

describe('an attacker with the login of the server', () => {
  it.each([
    'update audit_log set entry = entry',
    'delete from audit_log',
    'truncate audit_log',
    `insert into audit_log select seq + 1, at, entry_id, entry, hash, hash from audit_log`,
    'alter table audit_log disable trigger all',
    'set session_replication_role = replica',
    `select append_audit_log(null, '{"event": "prune", "through": 999, "hash": "00"}')`,
    `update audit_log_check set seq = 1000000, fault = null`,
  ])('is refused: %s', (sql) =>
    withClient(api.stack.serverDatabaseUrl, async (client) => {
      await expect(client.query(sql)).rejects.toThrow(/permission denied|must be owner/);
    }),
  );

  it.each([
    `update audit_entries set action = 'POST /v2/forged'`,
    `update audit_entries set outcome = 404 where outcome is not null`,
    'update audit_entries set account_id = (select min(id::text)::uuid from accounts where id <> account_id)',
    'delete from audit_entries',
    `update oversight_entries set reason = 'nothing'`,
    'delete from oversight_entries',
  ])('cannot change records of the log: %s', (sql) =>
    withClient(api.stack.serverDatabaseUrl, async (client) => {
      await expect(client.query(sql)).rejects.toThrow(/stay as they are|never changed/);
    }),
  );

  it('cannot clear a fault, nor move the check to rows that the log does not have', () =>
    withClient(api.stack.serverDatabaseUrl, async (client) => {
      const sql = `select store_audit_check(1000000, '\\x00', null, now())`;
      await expect(client.query(sql)).rejects.toThrow('has no row 1000000 with this hash');
    }));

  it('cannot prune what is younger than a year', async () => {
    await expect(api.fixtures.db.query('select prune_audit_log(30, 1000)', [])).rejects.toThrow(
      'The audit log keeps at least 365 days, not 30.',
    );
  });
});

describe('an attacker who owns the tables', { timeout: 60_000 }, () => {
  it.each(['update audit_log set entry = entry', 'delete from audit_log', 'truncate audit_log'])(
    'is refused while the triggers are on: %s',
    (sql) =>
      withClient(api.stack.adminDatabaseUrl, async (client) => {
        await expect(client.query(sql)).rejects.toThrow('The audit log is append-only');
      }),
  );

  let seq: number;
  let id: string;
  beforeEach(async () => {
    await writeAsMember();
    [{ seq, id }] = (await api.fixtures.db.query(
      `select seq, entry_id as id from audit_log where entry_id is not null order by seq desc limit 1`,
      [],
    )) as unknown as [{ seq: number; id: string }];
  });

  /** A change, its repair, and the fault that the verification finds in between. */
  const forgeries: readonly (readonly [
    string,
    (at: number) => [string, string],
    (at: number) => string,
  ])[] = [
    [
      'changes an entry',
      (at) => [
        `update audit_log set entry = entry || ' ' where seq = ${at}`,
        `update audit_log set entry = rtrim(entry) where seq = ${at}`,
      ],
      (at) => `entry ${at} was changed`,
    ],
    [
      'removes an entry from the middle',
      (at) => [
        `create table kept as select * from audit_log where seq = ${at - 1}; delete from audit_log where seq = ${at - 1}`,
        'insert into audit_log select * from kept; drop table kept',
      ],
      (at) => `entries ${at - 1} to ${at - 1} are missing`,
    ],
    [
      'removes the beginning',
      () => [
        'create table kept as select * from audit_log where seq <= 2; delete from audit_log where seq <= 2',
        'insert into audit_log select * from kept; drop table kept',
      ],
      () => 'entries before 3 were removed, and no pruning says so',
    ],
    [
      'changes the record of an entry',
      () => [
        `update audit_entries set ip = 'x' || ip where id = '${id}'`,
        `update audit_entries set ip = substr(ip, 2) where id = '${id}'`,
      ],
      (at) => `the record of entry ${at} was changed`,
    ],
    [
      'removes the record of an entry',
      () => [
        `create table kept as select * from audit_entries where id = '${id}'; delete from audit_entries where id = '${id}'`,
        'insert into audit_entries select * from kept; drop table kept',
      ],
      (at) => `the record of entry ${at} was removed`,
    ],
  ];
  it.each(forgeries)('is found out when it %s', async (_name, statementsOf, faultOf) => {
    const [forgery, repair] = statementsOf(Number(seq));
    await forge(forgery);
    const { faults } = await verify();
    await forge(repair);
    expect(faults).toEqual([faultOf(Number(seq))]);
    expect((await verify()).faults).toEqual([]);
  });

  it('is found out when it adds a record past the log', async () => {
    const copy = `insert into audit_entries select (jsonb_populate_record(e, '{"id": "01f00000-0000-7000-8000-000000000001"}')).*
      from audit_entries e where id = '${id}'`;
    await forge(copy);
    const { faults } = await verify();
    await forge(`delete from audit_entries where id = '01f00000-0000-7000-8000-000000000001'`);
    expect(faults).toEqual([
      'record 01f00000-0000-7000-8000-000000000001 of audit_entries is not in the log',
    ]);
  });

  it('is found out by an earlier head when it removes the newest entries', async () => {
    const head = await readLast(api.fixtures.db);
    await forge(
      'create table kept as select * from audit_log where seq >= (select max(seq) from audit_log) - 1',
    );
    await forge('delete from audit_log where seq in (select seq from kept)');
    const { faults } = await verify(head);
    await forge('insert into audit_log select * from kept; drop table kept');
    expect(faults).toContain(
      `the log ends at entry ${Number(head?.seq) - 2}, but had entry ${head?.seq} earlier`,
    );
  });

  it('is found out by the periodic check, whose fault stays until an operator accepts it', async () => {
    const services = { db: api.fixtures.db, system_clock: systemClock(), logger };
    await checkAuditLog(services);
    await writeAsMember();
    const at = await lastSeq();
    await forge(`update audit_log set entry = entry || ' ' where seq = ${at}`);
    await checkAuditLog(services);
    await checkAuditLog(services);
    expect((await readCheck(services.db))?.fault).toBe(`entry ${at} was changed`);
    await eventually(
      async () => (await fetch(`${api.stack.baseUrl}/metrics`)).text(),
      (text) => text.includes('florin_audit_log_faults 1'),
    );
    await forge(`update audit_log set entry = rtrim(entry) where seq = ${at}`);
    expect(await acceptAuditFault(services.db, 'ada', new Date().toISOString())).toBe(
      `entry ${at} was changed`,
    );
    await checkAuditLog(services);
    expect((await readCheck(services.db))?.fault).toBeNull();
    await forge(`update audit_log set entry = entry || ' ' where seq = ${at}`);
    expect(await verify()).toMatchObject({ faults: [], accepted: [`entry ${at} was changed`] });
    await forge(`update audit_log set entry = rtrim(entry) where seq = ${at}`);
    expect((await verify()).faults).toEqual([]);
  });
});

describe('pruning', () => {
  it('removes entries past their retention from the beginning, and says where the log begins since', async () => {
    const { db } = api.fixtures;
    await forge(`update audit_log set at = at - interval '${AUDIT_DAYS + 2} days' where seq <= 5`);
    expect(await pruneAuditLog(db, AUDIT_DAYS, 3)).toBe(3);
    expect(await pruneAuditLog(db, AUDIT_DAYS, 1_000)).toBe(2);
    expect(await pruneAuditLog(db, AUDIT_DAYS, 1_000)).toBe(0);
    expect((await verify()).faults).toEqual([]);
  });
});

describe('florin audit', () => {
  const env = () => ({ ...process.env, DATABASE_URL: api.stack.serverDatabaseUrl });
  const run = (...words: string[]) =>
    spawnSync(process.execPath, [BIN, ...words], { encoding: 'utf8', env: env() });

  it('leaves no file that looks like an export when it is killed', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'florin-export-'));
    await withClient(api.stack.adminDatabaseUrl, async (client) => {
      await client.query('begin; lock table audit_log in access exclusive mode');
      const words = [BIN, 'export', join(directory, 'audit.jsonl')];
      const child = spawn(process.execPath, words, { env: env(), stdio: 'ignore' });
      await eventually(
        async () => readdirSync(directory),
        (files) => files.length > 0,
      );
      child.kill('SIGKILL');
      await once(child, 'close');
      await client.query('rollback');
    });
    expect(readdirSync(directory)).toEqual([expect.stringMatching(/^audit\.jsonl\..*\.part$/)]);
  });

  it('verifies the log against an earlier head, and exports it for others to verify', async () => {
    const head = headText((await readLast(api.fixtures.db)) ?? { seq: 0, hash: Buffer.alloc(32) });
    const verified = run('verify', head);
    expect([verified.status, verified.stdout], verified.stderr).toEqual([
      0,
      expect.stringMatching(/^The audit log is intact: \d+ entries\.\nHead: \d+:[0-9a-f]{64}\n$/),
    ]);
    const file = join(tmpdir(), `audit-${process.pid}-${Date.now()}.jsonl`);
    const exported = run('export', file);
    expect(exported.status, exported.stderr).toBe(0);
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(exported.stdout).toContain(`Exported ${lines.length} entries to ${file}.`);
    for (const [path, reason] of [
      [file, 'the file exists'],
      ['/no-directory/audit', 'ENOENT: no such file or directory.*'],
    ] as const) {
      const refused = run('export', path);
      expect([refused.status, refused.stderr]).toEqual([
        1,
        expect.stringMatching(`^${path} cannot be written: ${reason}; choose a new name.\n$`),
      ]);
    }
    using disk = mountSmallDisk();
    if (disk) {
      disk.fill();
      const full = run('export', join(disk.directory, 'audit.jsonl'));
      expect([full.status, full.stderr]).toEqual([
        1,
        expect.stringMatching(/ENOSPC.*export again/),
      ]);
      expect(readdirSync(disk.directory)).toEqual(['filler']);
    }
    const wrong = run('verify', `${head.split(':')[0]}:${'0'.repeat(64)}`);
    expect([wrong.status, wrong.stdout]).toEqual([
      1,
      expect.stringContaining('differs from the earlier head'),
    ]);
  });
});
