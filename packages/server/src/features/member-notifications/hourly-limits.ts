import type { NotificationChannel } from '@florin/contract/member-notifications.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { countTries } from '../../platform/rates/shared-tries.ts';
import { instantText, seconds } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';

/** Notifications of a kind that a member gets per hour, by channel. Later ones are counted at the last one. */
export const HOURLY_MAX = { app: 20, email: 5 } as const satisfies Record<
  NotificationChannel,
  number
>;
const HOUR_S = 3_600;

interface HourlyCount {
  readonly channel: NotificationChannel;
  readonly recipients: readonly { readonly membership_id: string }[];
}

/**
 * Counts a notification for each membership, until the commit. Returns the memberships below the limit, with how many
 * they have got in the hour.
 */
export async function takeHourly(
  { system_clock, access_signer }: Pick<Services, 'system_clock' | 'access_signer'>,
  tx: Db,
  { mode, kind }: Row,
  { channel, recipients }: HourlyCount,
): Promise<ReadonlyMap<string, number>> {
  if (recipients.length === 0) return new Map();
  const now = system_clock.now();
  const expires_at = instantText(now + seconds(HOUR_S));
  const subjects = new Map(
    recipients.map(({ membership_id: id }) => [
      access_signer.sign(`notified ${channel} ${id} ${mode} ${kind}`),
      id,
    ]),
  );
  const counts = [...subjects.keys()].map((subject) => ({ subject, tries: 1, expires_at }));
  const options = { table: 'access_tries', up_to: HOURLY_MAX[channel] } as const;
  const counted = await countTries(tx, counts, instantText(now), options);
  return new Map(
    [...counted].map(([subject, { tries }]) => [subjects.get(subject) as string, tries]),
  );
}
