import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';

/** A verified notification to store. */
export interface NewNotification {
  readonly id: string;
  readonly processor_account_id: string;
  readonly mode: string;
  /** SHA-256 of the body in hex. */
  readonly hash: string;
  /** In base64. */
  readonly body: string;
  /** Time of arrival, from which a worker applies the notification. */
  readonly received_at: string;
}

/** Stores a notification. If the account has sent it before, stores only the time of the repetition. */
export async function insertNotification(
  db: Db,
  { id, processor_account_id, mode, hash, body, received_at }: NewNotification,
): Promise<void> {
  await db.query(
    `insert into processor_notifications
       (id, processor_account_id, mode, hash, body, due_at, received_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $6, $6) on conflict (processor_account_id, hash)
       do update set repeated_at = greatest(processor_notifications.repeated_at, excluded.received_at)`,
    [id, processor_account_id, mode, hash, body, received_at],
    'insert_notification',
  );
}

/** Claims due notifications, oldest first, until the end of a lease. */
export const claimNotifications = (
  db: Db,
  {
    now,
    lease_until,
    limit,
  }: { readonly now: string; readonly lease_until: string; readonly limit: number },
): Promise<Row[]> =>
  db.query(
    `with due as materialized (select id from processor_notifications
       where due_at <= $1 order by due_at limit $3 for no key update skip locked)
     update processor_notifications n set due_at = $2 from due where n.id = due.id returning n.*`,
    [now, lease_until, limit],
    'claim_notifications',
    'kept',
  );

export interface NotificationUpdate {
  readonly id: string;
  readonly status: string;
  /** JSON of what each fact did. */
  readonly outcomes: string;
  /** Null: nothing is left to do. */
  readonly due_at: string | null;
  readonly at: string;
}

/** Stores what a notification did, and counts the try. */
export async function updateNotification(
  db: Db,
  { id, status, outcomes, due_at, at }: NotificationUpdate,
): Promise<void> {
  await db.query(
    `update processor_notifications
     set outcomes = $3, status = $2, due_at = $4, updated_at = $5, tries = tries + 1 where id = $1`,
    [id, status, outcomes, due_at, at],
    'update_notification',
  );
}

const OPEN = `status in ('unmatched', 'conflict', 'failed')`;

/** A page of notifications, newest first. */
export interface NotificationPage {
  /** Only those that an operator decides. */
  readonly open: boolean;
  readonly limit: number;
  /** Id of the last notification of the page before; null: the first page. */
  readonly before: string | null;
}

export const listNotifications = (
  db: Db,
  { open, limit, before }: NotificationPage,
): Promise<Row[]> =>
  db.query(
    `select id, processor_account_id, mode, body, status, outcomes, tries, due_at, received_at, replayed_at, updated_at
     from processor_notifications where ${open ? OPEN : 'true'} and ($2::uuid is null or id < $2::uuid)
     order by id desc limit $1`,
    [limit, before],
    open ? 'open_notifications' : 'notifications',
  );

export async function findNotification(db: Db, id: string): Promise<Row | undefined> {
  const [row] = await db.query(
    `select n.*, a.email as replayed_by_email from processor_notifications n
     left join accounts a on a.id = n.replayed_by where n.id = $1`,
    [id],
    'find_notification',
  );
  return row;
}

/** Time and operator of a replay. */
export interface Replay {
  readonly at: string;
  readonly account_id: string;
}

/** Makes a notification due again, as if it had just arrived. Returns its account; undefined if it does not exist. */
export async function replayNotification(
  tx: Db,
  id: string,
  { at, account_id }: Replay,
): Promise<string | undefined> {
  const [row] = await tx.query(
    `update processor_notifications
     set tries = 0, status = 'received', due_at = $2, replayed_at = $2, replayed_by = $3, updated_at = $2
     where id = $1 returning processor_account_id`,
    [id, at, account_id],
    'replay_notification',
  );
  return row?.processor_account_id ?? undefined;
}

/** Number of notifications that an operator decides, by mode and status. */
export const countOpenNotifications = (db: Db): Promise<Row[]> =>
  db.query(
    `select mode, status, count(*) as count from processor_notifications
     where ${OPEN} group by mode, status`,
    [],
    'count_open_notifications',
  );

/** Deletes notifications that are done, and arrived and were replayed before `before`. Returns how many. */
export async function pruneDone(db: Db, before: string, limit: number): Promise<number> {
  const rows = await db.query(
    `delete from processor_notifications where id in (select id from processor_notifications
       where received_at < $1 and (replayed_at is null or replayed_at < $1) and status in ('applied', 'ignored') order by received_at limit $2)
     returning id`,
    [before, limit],
    'prune_notifications',
  );
  return rows.length;
}
