import { emptyDatabase } from '@florin/dev-env/databases.ts';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RowClient } from './row-client.ts';
import { queryRows } from './row-query.ts';

let database: Awaited<ReturnType<typeof emptyDatabase>>;
let client: pg.Client;

beforeAll(async () => {
  database = await emptyDatabase();
});

afterAll(() => database[Symbol.asyncDispose]());

beforeEach(async () => {
  client = new RowClient({ connectionString: database.url });
  await client.connect();
  return () => client.end();
});

const rowsOf = async (text: string, values: readonly unknown[] = [], name?: string) =>
  (await queryRows(client, { text, values, name })).rows;

describe('rows', () => {
  const texts = [
    '',
    'a',
    'x'.repeat(127),
    'x'.repeat(128),
    'x'.repeat(200_000),
    'é',
    'ÿ'.repeat(70),
    '€ 💶',
    `${'x'.repeat(300)}ß`,
  ];

  it.each(texts)('have the text %.10s beside null and others', async (text) => {
    const [row] = await rowsOf('select $1::text as a, null as b, $2::text as c, 7 as d', [
      text,
      '–',
    ]);
    expect(row).toEqual({ a: text, b: null, c: '–', d: '7' });
    const [asciiRow] = await rowsOf('select null as b, $1::text as a, true as t', [text]);
    expect(asciiRow).toEqual({ b: null, a: text, t: 't' });
  });

  it('come in any number and width', async () => {
    const columns = Array.from({ length: 300 }, (_, at) => `n + ${at} as c${at}`);
    const rows = await rowsOf(`select ${columns} from generate_series(1, 2000) n`);
    expect(rows).toHaveLength(2_000);
    expect(rows[1_999]).toMatchObject({ c0: '2000', c299: '2299' });
  });

  it('have the later of two columns with one name', async () => {
    expect(await rowsOf('select 1 as a, 2 as a')).toEqual([{ a: '2' }]);
  });

  it('are those of the last statement of a text', async () => {
    expect(await rowsOf('select 1 as a; select 2 as b')).toEqual([{ b: '2' }]);
  });

  it('are none of a statement without columns', async () => {
    expect(await rowsOf('select from generate_series(1, 2)')).toEqual([{}, {}]);
    expect(await rowsOf('create table made (n integer)')).toEqual([]);
  });

  it('keep arrays, JSON, dates and bytes as they were sent', async () => {
    const sent = [['a"\\', null, 'b'], { a: 1 }, Buffer.from('é'), undefined, 5n];
    const text =
      "select $1::text[] as a, $2::jsonb as j, encode($3::bytea, 'hex') as y, $4::text as u, $5::int8 as n";
    expect(await rowsOf(text, sent)).toEqual([
      { a: '{"a\\"\\\\",NULL,b}', j: '{"a": 1}', y: 'c3a9', u: null, n: '5' },
    ]);
  });
});

describe('prepared statements', () => {
  it('are described once', async () => {
    const described: string[] = [];
    client.connection.on('rowDescription', () => described.push('described'));
    for (const n of [1, 2, 3]) {
      expect(await rowsOf('select $1::int as n', [n], 'numbers')).toEqual([{ n: String(n) }]);
    }
    expect(described).toHaveLength(1);
  });

  it('keep their columns apart from those of other connections', async () => {
    await rowsOf('select 1 as a', [], 'same');
    await using otherDatabase = await emptyDatabase();
    const other = new RowClient({ connectionString: otherDatabase.url });
    await other.connect();
    expect(
      (await queryRows(other, { text: 'select 2 as b', values: [], name: 'same' })).rows,
    ).toEqual([{ b: '2' }]);
    await other.end();
  });

  it('fail under the name of another text, and the connection continues', async () => {
    await rowsOf('select 1 as a', [], 'taken');
    await expect(rowsOf('select 2 as a', [], 'taken')).rejects.toThrow('another text');
    expect(await rowsOf('select 1 as a', [], 'taken')).toEqual([{ a: '1' }]);
  });

  it('fail when their columns have changed', async () => {
    await rowsOf('create table changing (a integer)');
    await rowsOf('insert into changing values (1)');
    expect(await rowsOf('select * from changing', [], 'all')).toEqual([{ a: '1' }]);
    await rowsOf('alter table changing add b integer');
    await expect(rowsOf('select * from changing', [], 'all')).rejects.toThrow(/result type/);
  });
});

describe('errors', () => {
  it('carry their code and the stack of their caller, and the connection continues', async () => {
    const failing = rowsOf('select 1 / $1::int as n', [0], 'divide');
    await expect(failing).rejects.toMatchObject({
      code: '22012',
      stack: expect.stringContaining('queryRows'),
    });
    expect(await rowsOf('select 1 / $1::int as n', [1], 'divide')).toEqual([{ n: '1' }]);
  });

  const names = [undefined, 'copying'];

  it.each(names)(
    'refuse COPY from the client (name %s), and the connection continues',
    async (name) => {
      await rowsOf('create table if not exists copied (n integer)');
      await expect(rowsOf('copy copied from stdin', [], name)).rejects.toThrow(
        'COPY is not supported',
      );
      expect(await rowsOf('select count(*) as n from copied')).toEqual([{ n: '0' }]);
    },
  );

  it.each(names)('are none of COPY to the client (name %s), which has no rows', async (name) => {
    expect(await rowsOf('copy (select 1) to stdout', [], name)).toEqual([]);
    expect(await rowsOf('select 2 as n')).toEqual([{ n: '2' }]);
  });

  it('of a value without text send nothing', async () => {
    const cyclic = { toPostgres: () => cyclic };
    await expect(rowsOf('select $1::text as t', [cyclic])).rejects.toThrow(/circular/);
    expect(await rowsOf('select 1 as n')).toEqual([{ n: '1' }]);
  });

  it('of the connection fail the statement', async () => {
    client.on('error', () => {});
    await expect(rowsOf('select pg_terminate_backend(pg_backend_pid())')).rejects.toThrow(
      /terminat/,
    );
  });
});
