import { type EmptyDatabase, emptyDatabase } from '@florin/dev-env/databases.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../db.ts';

const cleanup = new AsyncDisposableStack();
let empty: EmptyDatabase;
let url: string;

/** The time limit that sessions of PgBouncer have from their role, here from their database. */
const ROLE_LIMIT = '400ms';

beforeAll(async () => {
  empty = cleanup.use(await emptyDatabase());
  await using admin = openDatabase({ url: empty.url, connections_max: 1 });
  const name = new URL(empty.url).pathname.slice(1);
  await admin.query(`alter database "${name}" set statement_timeout = '${ROLE_LIMIT}'`, []);
  const address = new URL(empty.url);
  address.searchParams.set('pgbouncer', 'true');
  url = address.href;
});
afterAll(() => cleanup.disposeAsync());

it('a read of shared sessions ends by the limit of its role, and is no outage', async () => {
  const limits = { statement_timeout_ms: 100, silence_margin_ms: 100 };
  await using db = openDatabase({ url, connections_max: 1, ...limits });
  await expect(db.query('select pg_sleep(30)', [])).rejects.toMatchObject({ code: '57014' });
});

it('a command with a longer limit than the role has keeps it over shared sessions', async () => {
  await using db = openDatabase({ url, connections_max: 1, statement_timeout_ms: 60_000 });
  const [row] = await db.query(`select current_setting('statement_timeout') as limit_text`, []);
  expect(row?.limit_text).toBe('1min');
});
