import type { NotificationChannel } from '@florin/contract/member-notifications.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import type { Scope } from '../../../platform/database/scope.ts';
import { grantedPermissions } from '../../people/sql/members.ts';
import type { NotifiedMember } from '../decide.ts';

/** Number of notified members, oldest first. A merchant has at most as many memberships. */
const MEMBERS_MAX = 500;

/** Members of a merchant with their choices for a kind. Leaves out open invitations and closed accounts. */
export async function findNotifiedMembers(
  db: Db,
  { merchant_id, mode }: Scope,
  kind: string,
): Promise<NotifiedMember[]> {
  const rows = await db.query(
    `select b.id, a.email, b.opener, b.permissions, b.invited_mode, (
       select json_object_agg(c.channel, c.is_on) from notification_choices c
       where c.merchant_id = b.merchant_id and c.membership_id = b.id and c.mode = $2 and c.kind = $3
     ) as choices
     from memberships b join accounts a on a.id = b.account_id
     where b.merchant_id = $1 and b.accepted_at is not null and b.removed_at is null
       and a.account_status = 'active'
     order by b.created_at, b.id limit $4`,
    [merchant_id, mode, kind, MEMBERS_MAX],
    'notified_members',
  );
  return rows.map((row) => memberOf(row, mode));
}

const memberOf = (row: Row, mode: Scope['mode']): NotifiedMember => ({
  membership_id: row.id as string,
  email: row.email as string,
  permissions: grantedPermissions(row, mode),
  choices: JSON.parse(row.choices ?? '{}') as Partial<Record<NotificationChannel, boolean>>,
});

/** Membership of an account that it has accepted. */
export async function findMembershipId(
  db: Db,
  account_id: string,
  merchant_id: string,
): Promise<string | undefined> {
  const [row] = await db.query(
    `select id from memberships
     where merchant_id = $1 and account_id = $2 and accepted_at is not null`,
    [merchant_id, account_id],
    'notified_membership',
  );
  return row?.id ?? undefined;
}
