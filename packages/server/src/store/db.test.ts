import { emptyDatabase } from '@florin/dev-env/databases.ts';
import { startLossyDatabase } from '@florin/dev-env/lossy-database.ts';
import { expect, it } from 'vitest';
import { openDatabase } from './db.ts';
import { migrate } from './migrate.ts';

it('a connection that has prepared many statements makes room for another one', async () => {
  await using empty = await emptyDatabase();
  await using db = openDatabase({ url: empty.url, connections_max: 1 });
  const backends = new Set<string>();
  let most = 0;
  for (let shape = 0; shape < 1_200; shape++) {
    const [row] = await db.query(
      `select pg_backend_pid() as pid, (select count(*) from pg_prepared_statements) as prepared, ${shape} as n`,
      [],
      `shape_${shape}`,
    );
    backends.add(row?.pid as string);
    most = Math.max(most, Number(row?.prepared));
  }
  expect({ backends: backends.size, most }).toEqual({ backends: 3, most: 500 });
});

it('a connection that sends the same statements stays', async () => {
  await using empty = await emptyDatabase();
  await using db = openDatabase({ url: empty.url, connections_max: 1 });
  const backends = new Set<string>();
  for (let time = 0; time < 600; time++) {
    const [row] = await db.query('select pg_backend_pid() as pid', [], `same_${time % 10}`);
    backends.add(row?.pid as string);
  }
  expect(backends.size).toBe(1);
});

it('statements of a transaction that are asked for at once take turns, and the rollback comes after them', async () => {
  await using empty = await emptyDatabase();
  await using db = openDatabase({ url: empty.url, connections_max: 1 });
  const warnings: Error[] = [];
  process.on('warning', (warning) => warnings.push(warning));
  await db.query('create table taken (n integer)', []);
  const failing = db.transaction((tx) =>
    Promise.all(['select 1/0', 'insert into taken values (1)'].map((sql) => tx.query(sql, []))),
  );
  await expect(failing).rejects.toThrow('division by zero');
  expect(await db.query('select n from taken', [])).toEqual([]);
  expect(warnings).toEqual([]);
});

it.each([
  [undefined, 'auto'],
  ['kept', 'force_generic_plan'],
] as const)(
  'a transaction lets the database keep the plans of what has a name, and of its look-ups for foreign keys: %s',
  async (plans, mode) => {
    await using empty = await emptyDatabase();
    await using db = openDatabase({ url: empty.url, connections_max: 1 });
    const sql = `select current_setting('plan_cache_mode') as plans, current_setting('enable_seqscan') as whole,
    (select count(*) from pg_prepared_statements) as prepared`;
    const within = await db.transaction(
      (tx) => tx.query(sql, [], 'how_it_plans'),
      plans && { plans },
    );
    expect(within).toEqual([{ plans: mode, whole: 'off', prepared: '1' }]);
    expect(await db.query(sql, [])).toEqual([
      { plans: 'force_custom_plan', whole: 'on', prepared: '1' },
    ]);
  },
);

it('a column that no connection knew when it prepared its statements costs nobody a failure', async () => {
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
  const readByAll = () => Promise.all(Array.from({ length: 5 }, read));
  expect(await readByAll()).toEqual(Array(5).fill([{ n: '1' }]));
  await db.query('alter table wide add column m integer default 2', []);
  expect(await read()).toEqual([{ n: '1', m: '2' }]);
  expect(await readByAll()).toEqual(Array(5).fill([{ n: '1', m: '2' }]));
});

it('a migration whose connection breaks is refused, and may be made again', async () => {
  await using empty = await emptyDatabase();
  let writes = 0;
  await using lossy = await startLossyDatabase(empty.url, () => (++writes === 2 ? 'cut' : 'pass'));
  await expect(migrate(lossy.url)).rejects.toThrow(/connection/i);
  await migrate(empty.url);
});
