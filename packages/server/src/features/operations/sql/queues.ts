import type { Db } from '../../../platform/database/db.ts';

/** What is done at a time of its own, by table: rows whose `due_at` has come are taken up by a loop. */
export const queues = [
  'payment_demands',
  'capture_demands',
  'refund_demands',
  'attempts',
  'authentications',
  'payment_subscriptions',
  'disputes',
  'webhook_deliveries',
  'webhook_replays',
  'letters',
  'account_letters',
  'discarded_cards',
] as const;
export type QueueName = (typeof queues)[number];

/** Rows of a queue are counted so far. */
export const QUEUED_COUNTED_MAX = 10_000;

export interface Queue {
  readonly name: QueueName;
  /** Rows whose time has come, at most `QUEUED_COUNTED_MAX`. */
  readonly due: number;
  /** The time that came first; null where none has. */
  readonly oldest_due_at: string | null;
}

/** What is due in a queue at an instant. */
export async function queueAt(db: Db, name: QueueName, now: string): Promise<Queue> {
  const [row] = await db.query(
    `select count(*) as due, min(due_at) as oldest
     from (select due_at from ${name} where due_at <= $1 order by due_at limit ${QUEUED_COUNTED_MAX}) q`,
    [now],
    `queue_${name}`,
  );
  return { name, due: Number(row?.due), oldest_due_at: row?.oldest ?? null };
}

/** The database as a whole. */
export interface DatabaseState {
  readonly bytes: number;
  readonly connections: number;
  readonly connections_max: number;
  readonly version: string;
  /** Seconds that the oldest open transaction has taken so far. */
  readonly oldest_transaction_seconds: number;
  readonly migrations: number;
}

export async function databaseState(db: Db): Promise<DatabaseState> {
  const [row] = await db.query(
    `select pg_database_size(current_database()) as bytes,
       (select count(*) from pg_stat_activity where datname = current_database()) as connections,
       current_setting('max_connections') as connections_max,
       current_setting('server_version') as version,
       (select coalesce(extract(epoch from now() - min(xact_start)), 0)::int from pg_stat_activity
         where datname = current_database()) as oldest,
       (select count(*) from kysely_migration) as migrations`,
    [],
    'database_state',
  );
  return {
    bytes: Number(row?.bytes),
    connections: Number(row?.connections),
    connections_max: Number(row?.connections_max),
    version: row?.version ?? '',
    oldest_transaction_seconds: Number(row?.oldest),
    migrations: Number(row?.migrations),
  };
}
