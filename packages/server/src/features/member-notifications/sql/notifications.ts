import type { NotificationFacts } from '@florin/contract/member-notifications.ts';
import type { Db } from '../../../platform/database/db.ts';
import { notStopped } from '../../../platform/database/installation/stopped.ts';
import type { Row } from '../../../platform/database/row.ts';
import type { Scope } from '../../../platform/database/scope.ts';

/** A membership in a merchant's mode. */
export interface MemberScope extends Scope {
  readonly membership_id: string;
}

/** Notifications of a change, as they are given to members. */
interface NewNotifications {
  readonly facts: NotificationFacts;
  readonly recipients: readonly { readonly id: string; readonly membership_id: string }[];
  /** Instant of the notification: a reminder's change is older. */
  readonly created_at: string;
}

/** Stores a change's notification for each membership, once. */
export const insertNotifications = (
  tx: Db,
  change: Row,
  { facts, recipients, created_at }: NewNotifications,
): Promise<unknown> =>
  tx.query(
    `insert into member_notifications
       (merchant_id, mode, id, membership_id, change_id, kind, record_id, facts, created_at)
     select $1, $2, r.id, r.membership_id, $3, $4, $5, $6, $7
     from unnest($8::uuid[], $9::uuid[]) as r (id, membership_id)
     on conflict (merchant_id, membership_id, change_id) do nothing`,
    [
      change.merchant_id,
      change.mode,
      change.id,
      change.kind,
      change.record_id,
      JSON.stringify(facts),
      created_at,
      recipients.map(({ id }) => id),
      recipients.map(({ membership_id }) => membership_id),
    ],
    'insert_member_notifications',
  );

/**
 * Counts one more change at the latest notification of the kind, which is unread again. The lock passes over a row that
 * another transaction deletes.
 */
export const countMore = (
  tx: Db,
  { merchant_id, mode, kind }: Row,
  memberships: readonly string[],
): Promise<unknown> =>
  tx.query(
    `update member_notifications n set more_count = n.more_count + 1, read_at = null
     from unnest($4::uuid[]) as r (membership_id) cross join lateral (
       select t.id from member_notifications t
       where t.merchant_id = $1 and t.membership_id = r.membership_id and t.mode = $2 and t.kind = $3
       order by t.created_at desc, t.id desc limit 1 for update) latest
     where n.merchant_id = $1 and n.id = latest.id`,
    [merchant_id, mode, kind, memberships],
    'count_more_notifications',
  );

/** The latest notifications of kinds, newest first. */
export const latestNotifications = (
  db: Db,
  { merchant_id, mode, membership_id }: MemberScope,
  kinds: readonly string[],
  limit: number,
): Promise<Row[]> =>
  db.query(
    `select id, kind, record_id, facts, more_count, read_at, created_at from member_notifications
     where merchant_id = $1 and membership_id = $2 and mode = $3 and kind = any ($4::text[])
     order by created_at desc, id desc limit $5`,
    [merchant_id, membership_id, mode, kinds, limit],
    'list_member_notifications',
  );

/** Number of unread notifications of kinds, at most `max`. */
export async function countUnread(
  db: Db,
  { merchant_id, mode, membership_id }: MemberScope,
  kinds: readonly string[],
  max: number,
): Promise<number> {
  const [row] = await db.query(
    `select count(*) as unread from (
       select from member_notifications
       where merchant_id = $1 and membership_id = $2 and mode = $3 and read_at is null
         and kind = any ($4::text[]) limit $5
     ) counted`,
    [merchant_id, membership_id, mode, kinds, max],
    'count_unread_notifications',
  );
  return Number(row?.unread);
}

/** Marks a notification as read. */
export const markRead = (
  db: Db,
  { merchant_id, mode, membership_id }: MemberScope,
  { id, at }: { readonly id: string; readonly at: string },
): Promise<unknown> =>
  db.query(
    `update member_notifications set read_at = $5
     where merchant_id = $1 and membership_id = $2 and mode = $3 and id = $4 and read_at is null`,
    [merchant_id, membership_id, mode, id, at],
    'read_member_notification',
  );

/** Marks notifications of kinds as read: one and all earlier ones, newest first, at most `limit`. */
export const markReadUpTo = (
  db: Db,
  { merchant_id, mode, membership_id }: MemberScope,
  kinds: readonly string[],
  { id, at, limit }: { readonly id: string; readonly at: string; readonly limit: number },
): Promise<unknown> =>
  db.query(
    `update member_notifications set read_at = $6 where merchant_id = $1 and id in (
       select t.id from member_notifications t join member_notifications newest
         on (t.created_at, t.id) <= (newest.created_at, newest.id)
       where t.merchant_id = $1 and t.membership_id = $2 and t.mode = $3 and t.read_at is null
         and t.kind = any ($4::text[]) and newest.merchant_id = $1 and newest.membership_id = $2
         and newest.mode = $3 and newest.id = $5
       order by t.created_at desc, t.id desc limit $7)`,
    [merchant_id, membership_id, mode, kinds, id, at, limit],
    'read_member_notifications',
  );

/** Deletes the notifications of a change or mention from all members. Changes counted there move to the previous one. */
export async function deleteNotificationsOf(
  tx: Db,
  { merchant_id, mode }: Scope,
  change_id: string,
): Promise<void> {
  const parameters = [merchant_id, mode, change_id];
  await tx.query(
    `update member_notifications p set more_count = p.more_count + previous.more_count,
       read_at = case when previous.is_read then p.read_at end
     from (
       select n.membership_id, n.kind, n.created_at, n.id, n.more_count, n.read_at is not null as is_read
       from member_notifications n where n.merchant_id = $1 and n.mode = $2 and n.change_id = $3
         and n.membership_id in (select id from memberships where merchant_id = $1)
       for update) deleted cross join lateral (
       select t.id, deleted.more_count, deleted.is_read from member_notifications t
       where t.merchant_id = $1 and t.membership_id = deleted.membership_id and t.mode = $2
         and t.kind = deleted.kind and (t.created_at, t.id) < (deleted.created_at, deleted.id)
       order by t.created_at desc, t.id desc limit 1 for update) previous
     where p.merchant_id = $1 and p.id = previous.id and previous.more_count > 0`,
    parameters,
    'move_more_notifications',
  );
  await tx.query(
    `delete from member_notifications where merchant_id = $1 and mode = $2 and change_id = $3
       and membership_id in (select id from memberships where merchant_id = $1)`,
    parameters,
    'delete_notifications_of_change',
  );
}

/** Deletes notifications created before `cutoff`. Returns the number of deleted rows. */
export async function pruneNotificationsUntil(
  db: Db,
  cutoff: string,
  limit: number,
): Promise<number> {
  const rows = await db.query(
    `delete from member_notifications where (merchant_id, id) in (
       select merchant_id, id from member_notifications
       where created_at < $1 and ${notStopped('merchant_id')} order by created_at limit $2) returning 1`,
    [cutoff, limit],
    'prune_member_notifications',
  );
  return rows.length;
}
