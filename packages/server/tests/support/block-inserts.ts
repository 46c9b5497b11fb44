import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../src/platform/database/db.ts';

/** Statements that wait until they are released. */
export interface BlockedInserts extends AsyncDisposable {
  release(): Promise<void>;
  /** Waits until `count` statements wait. */
  waitFor(count: number): Promise<void>;
}

const POLL_MS = 5;

/** Lets each statement that stores rows of a table wait until the release. Statements end after their time limit. */
export async function blockInserts(db: Db, table: string): Promise<BlockedInserts> {
  await db.query('create table held as select 1 as one', []);
  await db.query(
    `create function wait_while_held() returns trigger language plpgsql security definer as $$ begin
       while exists (select from held) loop perform pg_sleep(0.005); end loop;
       return null;
     end $$`,
    [],
  );
  await db.query(
    `create trigger inserts_held before insert on ${table}
     for each statement execute function wait_while_held()`,
    [],
  );
  const sleepingSql = `select from pg_stat_activity
    where datname = current_database() and wait_event = 'PgSleep'`;
  const release = async (): Promise<void> => void (await db.query('delete from held', []));
  return {
    release,
    async waitFor(count) {
      while ((await db.query(sleepingSql, [])).length < count) await sleep(POLL_MS);
    },
    async [Symbol.asyncDispose]() {
      await release();
      await db.query(`drop trigger inserts_held on ${table}`, []);
      await db.query('drop function wait_while_held()', []);
      await db.query('drop table held', []);
    },
  };
}
