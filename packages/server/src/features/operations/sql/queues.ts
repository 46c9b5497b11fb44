import type { Db } from '../../../platform/database/db.ts';

/** Queues and their tables. Workers claim the rows whose `due_at` has passed. */
const tables = {
  payment_demands: 'payment_demands',
  capture_demands: 'capture_demands',
  refund_demands: 'refund_demands',
  attempts: 'attempts',
  authentications: 'authentications',
  payment_subscriptions: 'payment_subscriptions',
  disputes: 'disputes',
  webhook_deliveries: 'webhook_deliveries',
  webhook_replays: 'webhook_replays',
  emails: 'letters',
  account_emails: 'account_letters',
  processor_notifications: 'processor_notifications',
  member_notifications: 'notifiable_changes',
  discarded_cards: 'discarded_cards',
} as const;
export type QueueName = keyof typeof tables;

export const queues = Object.keys(tables) as QueueName[];

/** Highest number that a queue's count shows. */
export const QUEUED_COUNTED_MAX = 10_000;

export interface Queue {
  readonly name: QueueName;
  /** Number of due rows, at most `QUEUED_COUNTED_MAX`. */
  readonly due: number;
  /** Earliest due time; null without due rows. */
  readonly oldest_due_at: string | null;
}

/** Due work of a queue at `now`. */
export async function queueAt(db: Db, name: QueueName, now: string): Promise<Queue> {
  const [row] = await db.query(
    `select count(*) as due, min(due_at) as oldest
     from (select due_at from ${tables[name]} where due_at <= $1 order by due_at limit ${QUEUED_COUNTED_MAX}) q`,
    [now],
    `queue_${name}`,
  );
  return { name, due: Number(row?.due), oldest_due_at: row?.oldest ?? null };
}

export interface DatabaseState {
  readonly bytes: number;
  readonly connections: number;
  readonly connections_max: number;
  readonly version: string;
  /** Age of the oldest open transaction in seconds. */
  readonly oldest_transaction_seconds: number;
  readonly migrations: number;
}

export async function databaseState(db: Db): Promise<DatabaseState> {
  const [row] = await db.query(
    `select pg_database_size(current_database()) as bytes,
       count(*) as connections,
       current_setting('max_connections') as connections_max,
       current_setting('server_version') as version,
       coalesce(extract(epoch from now() - min(xact_start)), 0)::int as oldest
     from pg_stat_activity where datname = current_database()`,
    [],
    'database_state',
  );
  // Beside a table, Citus would read the activity of another node.
  const [list] = await db.query(
    'select count(*) as migrations from kysely_migration',
    [],
    'migrations_count',
  );
  return {
    bytes: Number(row?.bytes),
    connections: Number(row?.connections),
    connections_max: Number(row?.connections_max),
    version: row?.version ?? '',
    oldest_transaction_seconds: Number(row?.oldest),
    migrations: Number(list?.migrations),
  };
}
