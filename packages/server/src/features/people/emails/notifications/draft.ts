import {
  type ChangeKind,
  type NotificationFacts,
  notificationPath,
} from '@florin/contract/member-notifications.ts';
import type { Db } from '../../../../platform/database/db.ts';
import type { Row } from '../../../../platform/database/row.ts';
import type { Scope } from '../../../../platform/database/scope.ts';
import type { EmailContent } from '../../../../platform/emails/parts.ts';
import { hasAccessToKind } from '../../access/notification-permission.ts';
import { findNotifiedMember } from '../../sql/members.ts';
import { composeNotification } from './compose.ts';

/** Notification of a member, as the email's facts store it. */
export interface EmailedNotification extends Scope {
  readonly membership_id: string;
  readonly kind: ChangeKind;
  readonly record_id: string;
  readonly facts: NotificationFacts;
}

/** Content of a notification's email. Undefined if the member has left, has another address, or may not see the record. */
export async function draftNotification(
  db: Db,
  public_url: string,
  email: Row,
): Promise<EmailContent | undefined> {
  const stored = JSON.parse(email.facts as string) as Readonly<Record<string, string>>;
  const { merchant_id, mode, membership_id, kind, record_id, facts } = JSON.parse(
    stored.notification as string,
  ) as EmailedNotification;
  const key = { merchant_id, id: membership_id, email: email.to_email as string };
  const member = await findNotifiedMember(db, key, mode);
  if (!member || !hasAccessToKind(member.permissions, kind, 'read')) return undefined;
  const pages = `${public_url}/dashboard/${merchant_id}/${mode}`;
  return composeNotification({
    kind,
    mode,
    facts,
    business: member.business,
    timezone: member.timezone,
    locale: email.locale as string,
    url: `${pages}/${notificationPath(kind, record_id)}`,
    settings_url: `${pages}/notifications`,
    isLast: stored.is_last === 'true',
  });
}
