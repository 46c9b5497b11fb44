import type { Db } from '../database/db.ts';
import type { Row } from '../database/row.ts';
import { instantText, type Micros, seconds } from '../time/clock.ts';

/** Status of one work loop of a process. */
export interface Heartbeat {
  readonly process_id: string;
  readonly loop: string;
  readonly host: string;
  readonly pid: number;
  readonly poll_ms: number;
  readonly started_at: string;
  readonly seen_at: string;
  readonly stepped_at: string | null;
  readonly error: string | null;
  readonly error_at: string | null;
  /** Time since which the process's vault has accepted no messages; null while it accepts them. */
  readonly vault_down_since: string | null;
  /** Version of the program; null from older ones. */
  readonly version: string | null;
  /** Fingerprints of the keys with which the process opens sealed texts; null from older ones. */
  readonly seal_keys: readonly string[] | null;
}

/**
 * Replaces the stored heartbeats of a process's loops. Heartbeats belong to the installation, not to a
 * merchant.
 */
export const storeHeartbeats = (db: Db, heartbeats: readonly Heartbeat[]): Promise<unknown> =>
  db.query(
    `insert into heartbeats as known
     select * from json_populate_recordset(null::heartbeats, $1::json) order by loop
     on conflict (process_id, loop) do update set
       (poll_ms, started_at, seen_at, stepped_at, error, error_at, vault_down_since, version, seal_keys) =
       (excluded.poll_ms, excluded.started_at, excluded.seen_at, excluded.stepped_at, excluded.error, excluded.error_at,
        excluded.vault_down_since, excluded.version, excluded.seal_keys)`,
    [JSON.stringify(heartbeats)],
    'store_heartbeats',
  );

/** Loop that every process with work loops has, and no other one. */
const WORKER_LOOP = 'authorise';

/** Number of processes with work loops that live at `now`. */
export async function countWorkers(db: Db, now: Micros): Promise<number> {
  const [row] = await db.query(
    'select count(distinct process_id) as count from heartbeats where loop = $1 and seen_at >= $2',
    [WORKER_LOOP, instantText(now - seconds(CRASHED_SECONDS))],
    'count_workers',
  );
  return Number(row?.count);
}

/** Loop that a process with work loops has also while a restored installation is closed. */
const CLOSED_LOOP = 'restore';

/** Whether processes with work loops live at `now`, and none of them works yet. */
export async function isBeginning(db: Db, now: Micros): Promise<boolean> {
  const [row] = await db.query(
    `select bool_or(loop = $1) and not bool_or(loop = $2) as begins from heartbeats
     where loop in ($1, $2) and seen_at >= $3`,
    [CLOSED_LOOP, WORKER_LOOP, instantText(now - seconds(CRASHED_SECONDS))],
    'is_beginning',
  );
  return row?.begins === 't';
}

/** Whether any process with a heartbeat after `since` sends payments and has a working vault. */
export async function isAnyVaultUp(db: Db, since: string): Promise<boolean> {
  const rows = await db.query(
    `select from heartbeats where loop = 'authorise' and seen_at >= $1 and stepped_at >= $1
       and vault_down_since is null limit 1`,
    [since],
    'any_vault_up',
  );
  return rows.length > 0;
}

/** Deletes the heartbeats of a process that stops normally, so that it does not count as crashed. */
export const endHeartbeats = (db: Db, process_id: string): Promise<unknown> =>
  db.query('delete from heartbeats where process_id = $1', [process_id], 'end_heartbeats');

/** Deletes a host's heartbeats before this time: a new process has replaced an old one on that host. */
export const replaceHeartbeats = (db: Db, host: string, before: string): Promise<unknown> =>
  db.query(
    'delete from heartbeats where host = $1 and seen_at < $2',
    [host, before],
    'replace_heartbeats',
  );

/** At most `limit` loops of all processes, latest heartbeats first. */
export const listHeartbeats = (db: Db, limit: number): Promise<Row[]> =>
  db.query(
    'select * from heartbeats order by seen_at desc, process_id, loop limit $1',
    [limit],
    'list_heartbeats',
  );

/** Throws if a process of the database runs, or crashed so recently that it may still run. Names at most one. */
export async function requireStopped(db: Db, now: Micros): Promise<void> {
  const [live] = await db.query(
    'select host, pid from heartbeats where seen_at >= $1 order by seen_at desc limit 1',
    [instantText(now - seconds(CRASHED_SECONDS))],
  );
  if (!live) return;
  throw new Error(
    `Florin runs on ${live.host} (process ${live.pid}). Stop every Florin of this database. After a crash, wait ${CRASHED_SECONDS} seconds`,
  );
}

/** At most `limit` processes that live at `now` and cannot open what one of these keys sealed. Older processes tell no keys. */
export async function listProcessesWithout(
  db: Db,
  keys: readonly string[],
  now: Micros,
  limit: number,
): Promise<{ readonly process: string; readonly tells_keys: boolean }[]> {
  const rows = await db.query(
    `select distinct host, pid, seal_keys is not null as tells_keys from heartbeats
     where seen_at >= $1 and not coalesce(seal_keys @> $2, false) order by host, pid limit $3`,
    [instantText(now - seconds(CRASHED_SECONDS)), keys, limit],
    'processes_without_keys',
  );
  return rows.map(({ host, pid, tells_keys }) => ({
    process: `${host} (process ${pid})`,
    tells_keys: tells_keys === 't',
  }));
}

/** Deletes heartbeats before this time. Returns the number deleted. */
export async function pruneHeartbeats(db: Db, before: string, limit: number): Promise<number> {
  const rows = await db.query(
    `delete from heartbeats where ctid = any (array
       (select ctid from heartbeats where seen_at < $1 order by seen_at limit $2)) returning 1`,
    [before, limit],
    'prune_heartbeats',
  );
  return rows.length;
}

/** Interval of a process's heartbeats. */
export const HEARTBEAT_SECONDS = 10;
/** Age of the last heartbeat at which a process counts as crashed: three heartbeats are missing. */
export const CRASHED_SECONDS = 3 * HEARTBEAT_SECONDS;
