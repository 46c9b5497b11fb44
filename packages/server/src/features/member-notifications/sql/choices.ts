import type { NotificationChannel } from '@florin/contract/member-notifications.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import type { MemberScope } from './notifications.ts';

/** Choices of a member in a mode, at most one for each kind and channel. */
export const findChoices = (
  db: Db,
  { merchant_id, mode, membership_id }: MemberScope,
): Promise<Row[]> =>
  db.query(
    `select kind, channel, is_on from notification_choices
     where merchant_id = $1 and membership_id = $2 and mode = $3`,
    [merchant_id, membership_id, mode],
    'find_notification_choices',
  );

/** Stores a choice, which replaces an earlier one. */
export const saveChoice = (
  db: Db,
  { merchant_id, mode, membership_id }: MemberScope,
  choice: {
    readonly kind: string;
    readonly channel: NotificationChannel;
    readonly is_on: boolean;
    readonly at: string;
  },
): Promise<unknown> =>
  db.query(
    `insert into notification_choices
       (merchant_id, membership_id, mode, kind, channel, is_on, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (merchant_id, membership_id, mode, kind, channel)
     do update set is_on = excluded.is_on, updated_at = excluded.updated_at`,
    [merchant_id, membership_id, mode, choice.kind, choice.channel, choice.is_on, choice.at],
    'save_notification_choice',
  );
