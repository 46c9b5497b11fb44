import { emptyDatabase } from '@florin/dev-env/databases.ts';
import { startSilentDatabase } from '@florin/dev-env/silent-database.ts';
import { expect, it } from 'vitest';
import { openDatabase } from './db.ts';

const LIMITS = { statement_timeout_ms: 300, silence_margin_ms: 200, acquire_timeout_ms: 1_000 };

it('a pool whose connections all fall silent reads and begins on new ones, and never repeats a write', async () => {
  await using database = await emptyDatabase();
  await using silentDatabase = await startSilentDatabase(database.url);
  await using db = await openDatabase(silentDatabase.url, () => {}, LIMITS);
  await db.query('create table public.kept (n integer)');
  const readPids = async () => {
    const queries = Array.from({ length: 4 }, () =>
      db.query<{ pid: number }>('select pg_backend_pid() as pid'),
    );
    return (await Promise.all(queries)).map(([row]) => row?.pid);
  };
  const earlierPids = await readPids();
  silentDatabase.silence();
  await db.transaction((tx) => tx.query('insert into public.kept values (1)'));
  expect((await readPids()).filter((pid) => earlierPids.includes(pid))).toEqual([]);
  expect(silentDatabase.queriedConnections()).toBe(1);
  silentDatabase.silence();
  await expect(db.query('insert into public.kept values (2)')).rejects.toThrow('did not answer');
  expect(await db.query('select n from public.kept')).toEqual([{ n: 1 }]);
});

it('the database probes idle connections', async () => {
  await using database = await emptyDatabase();
  await using db = await openDatabase(database.url, () => {});
  const settings = await db.query(
    "select reset_val from pg_settings where name ~ '^tcp_keepalives' order by name",
  );
  expect(settings).toEqual([{ reset_val: '3' }, { reset_val: '10' }, { reset_val: '5' }]);
});
