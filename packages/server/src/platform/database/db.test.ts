import { randomUUID } from 'node:crypto';
import { databaseFaultOf, isConnectionError } from '@florin/contract/database/fault.ts';
import type { History } from '@florin/contract/migrations/plan.ts';
import { emptyDatabase } from '@florin/dev-env/databases.ts';
import { startLossyDatabase } from '@florin/dev-env/lossy-database.ts';
import { startSilentDatabase } from '@florin/dev-env/silent-database.ts';
import { startUntrustedDatabase } from '@florin/dev-env/untrusted-database.ts';
import { describe, expect, it } from 'vitest';
import { isPassingError } from '../concurrency/batcher.ts';
import { openDatabase } from './db.ts';
import { createDatabaseHealth, STUCK_MS } from './health.ts';
import { type MigrateOptions, migrate } from './migrate.ts';

/** A history of one migration, since the whole schema takes a second. */
const historyOf = (sql: string): History => ({
  files: [{ name: '0001-asked', sql, checksum: '1' }],
  removed: {},
  adoption: { through: '0001-asked', facts: async () => [] },
});
const history = historyOf('create table asked (n integer)');

/** Short timeouts for connections that never answer. */
const LIMITS = { statement_timeout_ms: 300, silence_margin_ms: 200, acquire_timeout_ms: 1_000 };

it('a connection with many prepared statements is replaced', async () => {
  await using empty = await emptyDatabase();
  await using db = openDatabase({ url: empty.url, connections_max: 1 });
  const backends = new Set<string>();
  let mostBackends = 0;
  for (let shape = 0; shape < 510; shape++) {
    const [row] = await db.query(
      `select pg_backend_pid() as pid, (select count(*) from pg_prepared_statements) as prepared, ${shape} as n`,
      [],
      `shape_${shape}`,
    );
    backends.add(row?.pid as string);
    mostBackends = Math.max(mostBackends, Number(row?.prepared));
  }
  expect({ backends: backends.size, most: mostBackends }).toEqual({ backends: 2, most: 500 });
});

it('a connection that repeats the same statements stays open', async () => {
  await using empty = await emptyDatabase();
  await using db = openDatabase({ url: empty.url, connections_max: 1 });
  const backends = new Set<string>();
  for (let time = 0; time < 510; time++) {
    const [row] = await db.query('select pg_backend_pid() as pid', [], `same_${time % 10}`);
    backends.add(row?.pid as string);
  }
  expect(backends.size).toBe(1);
});

it('a statement with kept plans is planned once, others each time', async () => {
  await using empty = await emptyDatabase();
  await using db = openDatabase({ url: empty.url, connections_max: 1 });
  const countPlans = async (plans?: 'kept') => {
    for (let time = 0; time < 3; time++) await db.query('select $1::int', [time], 'planned', plans);
    const [row] = await db.query(
      `select generic_plans, custom_plans from pg_prepared_statements where name = 'planned'`,
      [],
      undefined,
      plans,
    );
    return row;
  };
  expect(await countPlans()).toEqual({ generic_plans: '0', custom_plans: '3' });
  expect(await countPlans('kept')).toEqual({ generic_plans: '3', custom_plans: '0' });
});

it('concurrent statements of a transaction run one after another, before the rollback', async () => {
  await using empty = await emptyDatabase();
  await using db = openDatabase({ url: empty.url, connections_max: 1 });
  const warnings: Error[] = [];
  process.on('warning', (warning) => warnings.push(warning));
  await db.query('create table taken (n integer)', []);
  const failingTransaction = db.transaction((tx) =>
    Promise.all(['select 1/0', 'insert into taken values (1)'].map((sql) => tx.query(sql, []))),
  );
  await expect(failingTransaction).rejects.toThrow('division by zero');
  expect(await db.query('select n from taken', [])).toEqual([]);
  expect(warnings).toEqual([]);
});

it('a transaction that ignores the error of a statement rejects', async () => {
  await using empty = await emptyDatabase();
  await using db = openDatabase({ url: empty.url, connections_max: 1 });
  await db.query('create table taken (n integer)', []);
  const careless = db.transaction(async (tx) => {
    await tx.query('insert into taken values (1)', []);
    await tx.query('select 1/0', []).catch(() => {});
  });
  await expect(careless).rejects.toThrow('an error of a statement was ignored');
  expect(await db.query('select n from taken', [])).toEqual([]);
});

it.each([
  [undefined, 'auto'],
  ['kept', 'force_generic_plan'],
] as const)(
  'a transaction lets the database cache plans of named statements and foreign key lookups: %s',
  async (plans, mode) => {
    await using empty = await emptyDatabase();
    await using db = openDatabase({ url: empty.url, connections_max: 1 });
    const sql = `select current_setting('plan_cache_mode') as plans, current_setting('enable_seqscan') as whole,
    (select count(*) from pg_prepared_statements) as prepared`;
    const transactionPlans = await db.transaction(
      (tx) => tx.query(sql, [], 'how_it_plans'),
      plans && { plans },
    );
    expect(transactionPlans).toEqual([{ plans: mode, whole: 'off', prepared: '1' }]);
    expect(await db.query(sql, [])).toEqual([
      { plans: 'force_custom_plan', whole: 'on', prepared: '1' },
    ]);
  },
);

it('a column newer than the prepared statements causes no failure', async () => {
  await using empty = await emptyDatabase();
  await using db = openDatabase({ url: empty.url, connections_max: 5 });
  await db.query('create table wide (n integer)', []);
  await db.query('insert into wide values (1)', []);
  const read = () =>
    db.transaction(async (tx) => {
      const rows = await tx.query('select * from wide', [], 'read_wide');
      await tx.query('select pg_sleep(0.1)', []);
      return rows;
    });
  const readOnAll = () => Promise.all(Array.from({ length: 5 }, read));
  expect(await readOnAll()).toEqual(Array(5).fill([{ n: '1' }]));
  await db.query('alter table wide add column m integer default 2', []);
  expect(await read()).toEqual([{ n: '1', m: '2' }]);
  expect(await readOnAll()).toEqual(Array(5).fill([{ n: '1', m: '2' }]));
});

it.concurrent('a migration whose connection breaks fails, and may be repeated', async ({
  expect,
}) => {
  await using empty = await emptyDatabase();
  let writes = 0;
  await using lossy = await startLossyDatabase(empty.url, () => (++writes === 2 ? 'cut' : 'pass'));
  await expect(migrate(lossy.url, { history })).rejects.toThrow(/connection/i);
  await migrate(empty.url, { history });
});

it.concurrent('a migration fails if its connection falls silent', async ({ expect }) => {
  await using empty = await emptyDatabase();
  await using silentFromStart = await startSilentDatabase(empty.url);
  silentFromStart.silenceNew(true);
  await using silentAfterStart = await startSilentDatabase(empty.url);
  const report: MigrateOptions['report'] = ({ event }) => {
    if (event === 'start_waits_for_database') return;
    silentAfterStart.silence();
    silentAfterStart.silenceNew(true);
  };
  const failures = [
    migrate(silentFromStart.url, { history, begin_ms: 500 }),
    migrate(silentAfterStart.url, { begin_ms: 500, report }),
  ].map((migration) => migration.then(() => undefined, databaseFaultOf));
  expect(await Promise.all(failures)).toEqual(['silent', 'silent']);
});

it.concurrent('a migration waits for a database that does not respond at first', async ({
  expect,
}) => {
  await using empty = await emptyDatabase();
  await using slow = await startSilentDatabase(empty.url);
  slow.silenceNew(true);
  const events: string[] = [];
  const report: MigrateOptions['report'] = ({ event }) => {
    events.push(event);
    slow.silenceNew(false);
  };
  await migrate(slow.url, { history, begin_ms: 500, report });
  expect(events.filter((event) => event === 'start_waits_for_database')).toEqual([
    'start_waits_for_database',
  ]);
});

/** Settings that a client requests for its connections, over any kind of socket. */
const ASKED = `select name, reset_val from pg_settings
  where name ~ '^tcp_keepalives' or name = 'idle_in_transaction_session_timeout' order by name`;
const probesAnd = (idle_in_transaction: string) => [
  { name: 'idle_in_transaction_session_timeout', reset_val: idle_in_transaction },
  { name: 'tcp_keepalives_count', reset_val: '3' },
  { name: 'tcp_keepalives_idle', reset_val: '10' },
  { name: 'tcp_keepalives_interval', reset_val: '5' },
];

it('the database probes idle connections, and ends transactions that are idle', async () => {
  await using empty = await emptyDatabase();
  await using db = openDatabase({ url: empty.url, connections_max: 1 });
  const sql = `create table asked as ${ASKED}`;
  await migrate(empty.url, { history: historyOf(sql) });
  expect(await db.query('select * from asked order by name', [])).toEqual(probesAnd('60000'));
  expect(await db.query(ASKED, [])).toEqual(probesAnd('10000'));
});

describe.concurrent('a pool whose connections all fall silent', () => {
  const CONNECTIONS = 3;
  const backend = 'select pg_backend_pid() as pid';

  async function startSilenced(stack: AsyncDisposableStack) {
    const { url } = stack.use(await emptyDatabase());
    const silent = stack.use(await startSilentDatabase(url));
    const reports: unknown[] = [];
    const system = { now_ms: 0 };
    const health = createDatabaseHealth({
      monotonic_ms: () => system.now_ms,
      report: (fault) => reports.push(fault),
    });
    const options = { connections_max: CONNECTIONS, ...LIMITS, health };
    const db = stack.use(openDatabase({ url: silent.url, ...options }));
    await db.query('create table kept (n integer)', []);
    const queryAll = () =>
      Promise.all(Array.from({ length: CONNECTIONS }, () => db.query(backend, [])));
    const pids = (await queryAll()).map(([row]) => row?.pid);
    silent.silence();
    return { db, silent, health, reports, system, all: queryAll, pids };
  }

  it('closes them and repeats reads on new ones', async ({ expect }) => {
    await using stack = new AsyncDisposableStack();
    const { all, pids, reports, health } = await startSilenced(stack);
    expect(new Set(pids).size).toBe(CONNECTIONS);
    const newPids = (await all()).map(([row]) => row?.pid);
    expect(newPids.filter((pid) => pids.includes(pid))).toEqual([]);
    expect(reports).toEqual(['silent', undefined]);
    expect(health.currentFault()).toBeUndefined();
  });

  it('sends nothing on idle connections once one is known to be silent', async ({ expect }) => {
    await using stack = new AsyncDisposableStack();
    const { db, silent } = await startSilenced(stack);
    for (let time = 0; time <= CONNECTIONS; time++) await db.query(backend, []);
    expect(silent.queriedConnections()).toBe(1);
  });

  it('never repeats a write, and begins transactions on a new connection', async ({ expect }) => {
    await using stack = new AsyncDisposableStack();
    const { db, silent } = await startSilenced(stack);
    const lostError = await db.query('insert into kept values (1)', []).catch((error) => error);
    expect(isConnectionError(lostError)).toBe(true);
    silent.silence();
    await db.transaction((tx) => tx.query('insert into kept values (2)', []));
    expect(await db.query('select n from kept', [])).toEqual([{ n: '2' }]);
  });

  it('never repeats the work of a transaction', async ({ expect }) => {
    await using stack = new AsyncDisposableStack();
    const { db, silent } = await startSilenced(stack);
    let runs = 0;
    const lostError = await db
      .transaction(async (tx) => {
        runs += 1;
        await tx.query('insert into kept values (3)', []);
        silent.silence();
        await tx.query('select 1', []);
      })
      .catch((error) => error);
    expect([runs, isConnectionError(lostError)]).toEqual([1, true]);
    expect(await db.query('select n from kept', [])).toEqual([]);
  });

  it('waits for a statement as long as its transaction allows, and for the begin no longer than for others', async ({
    expect,
  }) => {
    await using stack = new AsyncDisposableStack();
    const { db } = await startSilenced(stack);
    const [row] = await db.transaction(
      (tx) => tx.query("select 'slept' as it, pg_sleep(0.7)", []),
      {
        statement_timeout_ms: 3_600_000,
      },
    );
    expect(row?.it).toBe('slept');
  });

  it('keeps connections that have responded since the lost statement was sent', async ({
    expect,
  }) => {
    await using stack = new AsyncDisposableStack();
    const { db, silent } = await startSilenced(stack);
    await db.query(backend, []);
    silent.silence();
    const lostError = db.query('insert into kept values (4)', []).catch((error) => error);
    const pidBefore = await db.query(backend, []);
    expect(isConnectionError(await lostError)).toBe(true);
    expect(await db.query(backend, [])).toEqual(pidBefore);
  });

  it('is stuck after a while if new connections are silent too, until one responds', async ({
    expect,
  }) => {
    await using stack = new AsyncDisposableStack();
    const { db, silent, health, system } = await startSilenced(stack);
    silent.silenceNew(true);
    await expect(db.query(backend, [])).rejects.toThrow();
    system.now_ms += STUCK_MS - 1;
    expect([health.currentFault(), health.isStuck()]).toEqual(['silent', false]);
    system.now_ms += 1;
    expect(health.isStuck()).toBe(true);
    silent.silenceNew(false);
    await db.query(backend, []);
    expect([health.currentFault(), health.isStuck()]).toEqual([undefined, false]);
  });
});

it('a response that arrived while the process was suspended counts', async () => {
  await using empty = await emptyDatabase();
  await using db = openDatabase({ url: empty.url, connections_max: 1, ...LIMITS });
  await db.query('create table kept (n integer)', []);
  const write = db.query('insert into kept values (1) returning n', []);
  await new Promise(setImmediate);
  const end = performance.now() + 2 * LIMITS.statement_timeout_ms + LIMITS.silence_margin_ms;
  while (performance.now() < end);
  expect(await write).toEqual([{ n: '1' }]);
});

it('a read that is lost on two connections repeats no surrounding work', async () => {
  await using empty = await emptyDatabase();
  await using db = openDatabase({ url: empty.url, connections_max: 2 });
  await db.query('create table kept (n integer)', []);
  await db.query('create sequence reads', []);
  await db.query(
    `create function lost() returns boolean language sql
     as $$ select nextval('reads') > 0 and pg_terminate_backend(pg_backend_pid()) $$`,
    [],
  );
  let runs = 0;
  const lostError = await db
    .transaction(async (tx) => {
      runs += 1;
      await tx.query('select 1', []);
      await db.transaction((inner) => inner.query('insert into kept values (1)', []));
      await db.query('select lost()', []);
    })
    .catch((error) => error);
  expect([runs, isConnectionError(lostError)]).toEqual([1, true]);
  expect(await db.query('select n, last_value as reads from kept, reads', [])).toEqual([
    { n: '1', reads: '2' },
  ]);
});

/** Returns the error of a first statement, and the health after many repetitions. */
async function failureOf(url: string) {
  const system = { now_ms: 0 };
  const health = createDatabaseHealth({ monotonic_ms: () => system.now_ms });
  await using db = openDatabase({ url, connections_max: 1, health, ...LIMITS });
  const queryOnce = () => db.query('select 1', []).catch((error) => error);
  const error = await queryOnce();
  system.now_ms += STUCK_MS;
  await queryOnce();
  return { error, fault: health.currentFault(), isStuck: health.isStuck() };
}

it('an invalid certificate has its own fault', async () => {
  await using untrusted = await startUntrustedDatabase();
  const { error, ...health } = await failureOf(untrusted.url);
  expect(health).toEqual({ fault: 'certificate_not_valid', isStuck: false });
  expect([isPassingError(error), isConnectionError(error)]).toEqual([true, false]);
});

it('a database without free connections has its own fault', async () => {
  await using empty = await emptyDatabase();
  const login = `florin_${randomUUID().replaceAll('-', '')}`;
  await using admin = openDatabase({ url: empty.url, connections_max: 1 });
  await admin.query(`create role ${login} login password 'x' connection limit 0`, []);
  const url = Object.assign(new URL(empty.url), { username: login, password: 'x' }).href;
  const { error, ...health } = await failureOf(url);
  await admin.query(`drop role ${login}`, []);
  expect(health).toEqual({ fault: 'connections_exhausted', isStuck: false });
  expect(isPassingError(error)).toBe(true);
});

it('an unavailable database does not make a process stuck', async () => {
  const silent = await startSilentDatabase('postgresql://florin@localhost/florin');
  await silent[Symbol.asyncDispose]();
  const { error: _, ...health } = await failureOf(silent.url);
  expect(health).toEqual({ fault: 'unreachable', isStuck: false });
});

it('a pool whose work never ends makes its process stuck', async () => {
  await using empty = await emptyDatabase();
  const system = { now_ms: 0 };
  const health = createDatabaseHealth({ monotonic_ms: () => system.now_ms });
  await using db = openDatabase({ url: empty.url, connections_max: 1, health, ...LIMITS });
  const { promise, resolve } = Promise.withResolvers<void>();
  const busyTransaction = db.transaction(() => promise);
  await expect(db.query('select 1', [])).rejects.toThrow();
  system.now_ms += STUCK_MS;
  expect([health.currentFault(), health.isStuck()]).toEqual(['pool_exhausted', true]);
  resolve();
  await busyTransaction;
});
