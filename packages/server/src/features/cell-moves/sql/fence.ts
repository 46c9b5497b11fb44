import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../../platform/database/db.ts';
import type { MovedTable } from '../tables.ts';

/** Trigger that refuses writes. The name sorts first, because triggers run in order of their names. */
const TRIGGER = 'a_stopped_merchant';
/** Longest wait for one lock. All other writers of the table wait behind it. */
const LOCK_MS = 300;
/** Waits between two tries grow up to this. */
const PAUSE_MS_MAX = 1_000;
const TRIES_MAX = 60;
const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK = '40P01';

/**
 * Makes the tables refuse writes of merchants that are fenced. Returns once every transaction has ended that wrote before,
 * because the lock of each table waits for its writers. Each lock lasts for one statement.
 */
export async function raiseFence(cell: Db, tables: readonly MovedTable[]): Promise<void> {
  for (const { name } of tables)
    await withShortLock(
      cell,
      `create or replace trigger ${TRIGGER} before insert or update or delete on ${name}
       for each row execute function refuse_stopped_merchant()`,
    );
}

/** Takes the triggers away, once no merchant of the cell needs them. Returns false if a table was busy for too long. */
export async function lowerFence(cell: Db, tables: readonly MovedTable[]): Promise<boolean> {
  const [row] = await cell.query(
    `select exists (select from stopped_merchants s where s.state = 'fenced'
       or s.state = 'moved' and exists (select from memberships b where b.merchant_id = s.merchant_id)) as needed`,
    [],
  );
  if (row?.needed === 't') return true;
  try {
    for (const { name } of tables)
      await withShortLock(cell, `drop trigger if exists ${TRIGGER} on ${name}`);
    return true;
  } catch (error) {
    if (codeOf(error) === LOCK_NOT_AVAILABLE) return false;
    throw error;
  }
}

async function withShortLock(cell: Db, statement: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await cell.query(`begin; set local lock_timeout = ${LOCK_MS}; ${statement}; commit`, []);
      return;
    } catch (error) {
      await cell.query('rollback', []);
      const isBusy = [LOCK_NOT_AVAILABLE, DEADLOCK].includes(codeOf(error));
      if (!isBusy || tries >= TRIES_MAX) throw error;
      await sleep(Math.min(PAUSE_MS_MAX, 20 * tries));
    }
  }
}

const codeOf = (error: unknown): string => (error as { code?: string })?.code ?? '';
