import type { NotificationFacts } from '@florin/contract/member-notifications.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import type { NotifiedMember } from './decide.ts';
import { takeHourly } from './hourly-limits.ts';
import { countMore, insertNotifications } from './sql/notifications.ts';

/** Facts of a notification, and the members who get it. */
export interface MemberNotice {
  readonly facts: NotificationFacts;
  readonly recipients: readonly NotifiedMember[];
}

/** Stores the notification of a change or mention for members below their limit, and counts it at the last one of the others. */
export async function showToMembers(
  services: Pick<Services, 'system_clock' | 'access_signer'>,
  tx: Db,
  change: Row,
  { facts, recipients }: MemberNotice,
): Promise<void> {
  const allowed = await takeHourly(services, tx, change, { channel: 'app', recipients });
  const now = services.system_clock.now();
  const ids = recipients.map(({ membership_id }) => membership_id);
  const shown = ids
    .filter((membership_id) => allowed.has(membership_id))
    .map((membership_id) => ({ id: uuidv7(now), membership_id }));
  await insertNotifications(tx, change, { facts, recipients: shown, created_at: instantText(now) });
  const others = ids.filter((membership_id) => !allowed.has(membership_id));
  if (others.length > 0) await countMore(tx, change, others);
}
