import { setTimeout as sleep } from 'node:timers/promises';
import { describeHolder, HOLDER_COLUMNS } from '@florin/contract/migrations/locks.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import type { MovedTable } from '../tables.ts';

/** A table with rows that belong to a merchant. */
type FencedTable = Pick<MovedTable, 'name'>;

/** Trigger that refuses writes. The name sorts first, because triggers run in order of their names. */
const TRIGGER = 'a_stopped_merchant';
/** Looks at the lock of the triggers, a millisecond apart, while another removal frees it. */
const TRIES_MAX = 100;
/** Longest wait for one lock. All other writers of the table wait behind it. */
const LOCK_MS = 100;
/** Waits between two passes over busy tables grow up to this. */
const PAUSE_MS_MAX = 1_000;
/** Default of the time after which busy tables keep their triggers. */
const LOWER_MS = 30_000;
/** Holders that an error names. */
const HOLDERS_MAX = 3;
const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK = '40P01';

/** SQL: key of the lock that moves share while they need the triggers of a cell. */
const FENCE = `hashtextextended('fence of ' || current_schema(), 0)`;

/** SQL: key of the lock that keeps removals of triggers apart, which otherwise look like moves to each other. */
const REMOVAL = `hashtextextended('removal of the fence of ' || current_schema(), 0)`;

/** SQL: whether the command of another move shares the lock. */
const IS_SHARED = `exists (select from pg_locks l where l.locktype = 'advisory' and l.mode = 'ShareLock' and l.granted
  and l.database = (select oid from pg_database where datname = current_database()) and l.objsubid = 1
  and (l.classid::bigint << 32 | l.objid::bigint) = ${FENCE} and l.pid <> pg_backend_pid())`;

/** SQL: whether a move whose command has died needs the triggers. */
const IS_NEEDED = `exists (select from stopped_merchants s where s.state = 'fenced'
  or s.state = 'moved' and not s.by_restore and exists (select from memberships b where b.merchant_id = s.merchant_id))`;

/**
 * Lets the tables refuse writes of merchants that are fenced, and keeps it so until `lowerFence`, or until the connection
 * ends. Throws an `Error` for people if a table is busy after `limit_ms`.
 */
export async function raiseFence(
  cell: Db,
  tables: readonly FencedTable[],
  limit_ms: number,
): Promise<void> {
  const until = performance.now() + limit_ms;
  await cell.query(`select pg_advisory_lock_shared(${FENCE})`, []);
  const fenced = await readFenced(cell);
  const missing = tables.map(({ name }) => name).filter((name) => !fenced.has(name));
  const [busy] = await changeTables(cell, missing, createTrigger, until);
  if (busy) throw new Error(await describeBusy(cell, busy));
}

const createTrigger = (table: string): string =>
  `create or replace trigger ${TRIGGER} before insert or update or delete on ${table}
   for each row execute function refuse_stopped_merchant()`;

/**
 * Waits until every transaction has ended that wrote before the merchant was fenced. Takes no lock, so nobody waits behind
 * it. Throws an `Error` for people at `until`, in milliseconds of `performance.now()`.
 */
export async function awaitWriters(
  cell: Db,
  tables: readonly FencedTable[],
  until: number,
): Promise<void> {
  const names = tables.map(({ name }) => name);
  const readWriters = () => readHolders(cell, names, `l.mode = 'RowExclusiveLock'`);
  let writers = await readWriters();
  for (let polls = 1; writers.length > 0; polls++) {
    if (performance.now() >= until)
      throw new Error(`transactions that write did not end in time:\n${listed(writers)}`);
    await sleep(Math.min(200, 10 * polls));
    const open = new Set((await readWriters()).map(({ transaction }) => transaction));
    writers = writers.filter(({ transaction }) => open.has(transaction));
  }
}

/**
 * Takes the triggers away, unless another move needs them: that one takes them away later. Returns false if a table was busy
 * until `limit_ms`.
 */
export async function lowerFence(cell: Db, limit_ms = LOWER_MS): Promise<boolean> {
  const until = performance.now() + limit_ms;
  // Before the first try: of two moves that end together, one then finds nobody else.
  await cell.query(
    `select pg_advisory_unlock_shared(${FENCE}) where exists (select from pg_locks
       where locktype = 'advisory' and mode = 'ShareLock' and pid = pg_backend_pid())`,
    [],
  );
  return (await changeTables(cell, [...(await readFenced(cell))], dropTrigger, until)).length === 0;
}

/**
 * Looks and drops in one transaction: a move that needs the triggers later begins after it, and creates them again. A
 * removal that ends frees its two locks one after the other, so the second is waited for.
 */
const dropTrigger = (table: string): string =>
  `do $fence$ begin
     perform pg_advisory_xact_lock(${REMOVAL});
     for try in 1..${TRIES_MAX} loop
       exit when pg_try_advisory_xact_lock(${FENCE});
       if ${IS_SHARED} then return; end if;
       if try = ${TRIES_MAX} then raise exception 'the fence is locked' using errcode = 'lock_not_available'; end if;
       perform pg_sleep(0.001);
     end loop;
     if ${IS_NEEDED} then return; end if;
     drop trigger if exists ${TRIGGER} on ${table};
   end $fence$`;

/** Tables that have the trigger. */
async function readFenced(cell: Db): Promise<ReadonlySet<string>> {
  const rows = await cell.query(
    `select c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where t.tgname = '${TRIGGER}' and c.relnamespace = current_schema()::regnamespace order by 1`,
    [],
  );
  return new Set(rows.map(({ name }) => name as string));
}

/** Runs a statement for each table, and again for those that are busy. Returns the tables that are busy at `until`. */
async function changeTables(
  cell: Db,
  tables: readonly string[],
  statementOf: (table: string) => string,
  until: number,
): Promise<readonly string[]> {
  for (let [left, passes] = [tables, 1]; ; passes++) {
    const busy: string[] = [];
    for (const name of left) if (!(await withShortLock(cell, statementOf(name)))) busy.push(name);
    if (busy.length === 0 || performance.now() >= until) return busy;
    left = busy;
    await sleep(Math.min(PAUSE_MS_MAX, 50 * passes));
  }
}

/** Runs a statement that locks a table. Returns false if the table is busy. */
async function withShortLock(cell: Db, statement: string): Promise<boolean> {
  try {
    await cell.query(`begin; set local lock_timeout = ${LOCK_MS}; ${statement}; commit`, []);
    return true;
  } catch (error) {
    await cell.query('rollback', []);
    if (![LOCK_NOT_AVAILABLE, DEADLOCK].includes(codeOf(error))) throw error;
    return false;
  }
}

const codeOf = (error: unknown): string => (error as { code?: string })?.code ?? '';

/** Transactions of others that hold a lock on one of the tables, the longest first. `mode` is an SQL condition. */
const readHolders = (cell: Db, tables: readonly string[], mode: string): Promise<Row[]> =>
  cell.query(
    `select distinct on (a.xact_start, l.virtualtransaction) ${HOLDER_COLUMNS}, l.virtualtransaction as transaction,
       c.relname as table, l.mode = 'ShareUpdateExclusiveLock' as is_maintenance
     from pg_locks l join pg_class c on c.oid = l.relation left join pg_stat_activity a on a.pid = l.pid
     where l.locktype = 'relation' and l.granted and l.pid is distinct from pg_backend_pid()
       and l.database = (select oid from pg_database where datname = current_database())
       and c.relnamespace = current_schema()::regnamespace and c.relname = any ($1::text[]) and ${mode}
     order by a.xact_start, l.virtualtransaction`,
    [tables],
  );

async function describeBusy(cell: Db, table: string): Promise<string> {
  const isInTheWay = `l.mode not in ('AccessShareLock', 'RowShareLock')`;
  const holders = await readHolders(cell, [table], isInTheWay);
  return `the table ${table} is busy:\n${listed(holders)}`;
}

function listed(holders: readonly Row[]): string {
  const lines = holders.slice(0, HOLDERS_MAX).map(lineOf);
  return [...lines, 'Wait until they have ended, or end them. Then repeat the command.'].join('\n');
}

function lineOf(row: Row): string {
  const who = row.pid === null ? 'a prepared transaction' : describeHolder(row);
  const what = row.is_maintenance === 't' ? ', which is autovacuum or other maintenance' : '';
  return `  ${row.table}: ${who}${what}`;
}
