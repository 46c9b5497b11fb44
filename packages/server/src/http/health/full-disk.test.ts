import { emptyDatabase } from '@florin/dev-env/databases.ts';
import { moveToDisk } from '@florin/dev-env/small-database.ts';
import { mountSmallDisk } from '@florin/dev-env/small-disk.ts';
import { afterAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../platform/database/db.ts';
import { createDatabaseHealth } from '../../platform/database/health.ts';
import { findWriteFault } from './health.ts';

const FULL = { code: '53100' };

function watch(url: string) {
  const reports: unknown[] = [];
  const report = (fault: unknown) => reports.push(fault);
  const health = createDatabaseHealth({ monotonic_ms: () => 0, report });
  const db = openDatabase({ url, connections_max: 2, health });
  return { db, health, reports };
}

const REFUSE = `create table refused (n integer);
  create function refuse() returns trigger language plpgsql
    as $$ begin raise exception 'no space' using errcode = '53100'; end $$;
  create trigger refuse before insert on refused execute function refuse()`;
const refusedWrite = 'insert into refused values (1)';

const writes: readonly [string, (db: Database) => Promise<unknown>][] = [
  ['a statement', (db) => db.query(refusedWrite, [])],
  ['a transaction', (db) => db.transaction((tx) => tx.query(refusedWrite, []))],
];

describe.each(writes)('a database that refused %s for lack of space', (_what, write) => {
  it('keeps that fault while reads succeed, until its disk takes a file', async () => {
    await using empty = await emptyDatabase();
    const { db, health, reports } = watch(empty.url);
    await using _ = db;
    await db.query(REFUSE, []);
    await expect(write(db)).rejects.toMatchObject(FULL);
    await db.query('select 1', []);
    await db.transaction((tx) => tx.query('select 1', []));
    expect([health.currentFault(), reports]).toEqual(['disk_full', ['disk_full']]);
    expect(await findWriteFault(db, health)).toBeUndefined();
    expect([health.currentFault(), reports]).toEqual([undefined, ['disk_full', undefined]]);
  });
});

it('a write that is refused during the check of the disk counts more than the check', async () => {
  const health = createDatabaseHealth({ monotonic_ms: () => 0 });
  const refuseMeanwhile = async () => {
    health.onDiskFull();
    return true;
  };
  health.onDiskFull();
  expect(await health.isDiskFull(refuseMeanwhile)).toBe(true);
  expect(await health.isDiskFull(async () => true)).toBe(false);
});

it('a disk that refused nothing is not checked', async () => {
  const health = createDatabaseHealth({ monotonic_ms: () => 0 });
  const hasSpace = () => Promise.reject(new Error('checked'));
  expect(await health.isDiskFull(hasSpace)).toBe(false);
});

// Only root may mount a disk.
const disk = mountSmallDisk('/tmp', { size: '32m', mode: '711' });
afterAll(() => disk?.[Symbol.dispose]());

it.runIf(disk)(
  'a full disk is the fault from the first refused write until space is free',
  async ({ skip }) => {
    await using cleanup = new AsyncDisposableStack();
    const { url, [Symbol.asyncDispose]: drop } = await emptyDatabase();
    const moved = await moveToDisk(disk!, url);
    if (moved) cleanup.use(moved);
    cleanup.defer(drop);
    if (!moved) return skip('PostgreSQL runs elsewhere');
    const { db, health } = watch(url);
    cleanup.use(db);
    const findFault = () => findWriteFault(db, health);
    await db.query('create table kept (text text)', []);
    const fillPages = () =>
      db.query("insert into kept select repeat('x', 1000) from generate_series(1, 100)", []);
    await fillPages();
    disk?.fill();
    expect(await findFault()).toBeUndefined();
    await expect(fillPages()).rejects.toMatchObject(FULL);
    await db.query("update kept set text = 'short'", []);
    expect([await findFault(), await findFault()]).toEqual(['disk_full', 'disk_full']);
    disk?.free();
    expect(await findFault()).toBeUndefined();
    await fillPages();
  },
);
