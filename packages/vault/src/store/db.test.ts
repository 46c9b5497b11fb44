import { emptyDatabase } from '@florin/dev-env/databases.ts';
import { startSilentDatabase } from '@florin/dev-env/silent-database.ts';
import { expect, it } from 'vitest';
import { openDatabase } from './db.ts';

it('a pool whose connections all fall silent reads and begins on new ones, and never repeats a write', async () => {
  await using empty = await emptyDatabase();
  await using silent = await startSilentDatabase(empty.url);
  await using db = await openDatabase(silent.url, () => {}, 500);
  await db.query('create table kept (n integer)');
  const reads = async () => {
    const all = Array.from({ length: 4 }, () =>
      db.query<{ pid: number }>('select pg_backend_pid() as pid'),
    );
    return (await Promise.all(all)).map(([row]) => row?.pid);
  };
  const before = await reads();
  silent.silence();
  await db.transaction((tx) => tx.query('insert into kept values (1)'));
  expect((await reads()).filter((pid) => before.includes(pid))).toEqual([]);
  expect(silent.asked()).toBe(1);
  silent.silence();
  await expect(db.query('insert into kept values (2)')).rejects.toThrow('timeout');
  expect(await db.query('select n from kept')).toEqual([{ n: 1 }]);
});
