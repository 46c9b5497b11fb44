import type {
  NotificationChannel,
  NotificationKind,
} from '@florin/contract/member-notifications.ts';
import type { Requester } from '../../platform/caller.ts';
import type { Scope } from '../../platform/database/scope.ts';
import { hasAccessToKind } from '../people/access/notification-permission.ts';

type Permissions = Requester['permissions'];

/** A member with the choices that differ from the defaults. */
export interface NotifiedMember {
  readonly membership_id: string;
  readonly email: string;
  readonly permissions: Permissions;
  readonly choices: Readonly<Partial<Record<NotificationChannel, boolean>>>;
}

/** Whether the member may read the record that a notification is about. */
export const maySee = (permissions: Permissions, kind: NotificationKind): boolean =>
  hasAccessToKind(permissions, kind, 'read');

/**
 * Whether a member gets a kind without a choice. Everyone who may see the record gets it in the dashboard. Members who
 * can act on it also get an email, in live mode. Mentioned members always do: a colleague waits for them.
 */
export const defaultOf = (
  channel: NotificationChannel,
  kind: NotificationKind,
  { permissions, mode }: { readonly permissions: Permissions; readonly mode: Scope['mode'] },
): boolean =>
  channel === 'app' ||
  kind === 'mention' ||
  (mode === 'live' && hasAccessToKind(permissions, kind, 'update'));

/** Members who get a notification, by channel. */
export function recipientsOf(
  members: readonly NotifiedMember[],
  kind: NotificationKind,
  mode: Scope['mode'],
): Readonly<Record<NotificationChannel, readonly NotifiedMember[]>> {
  const recipientsBy = (channel: NotificationChannel): readonly NotifiedMember[] =>
    members.filter(
      ({ permissions, choices }) =>
        maySee(permissions, kind) &&
        (choices[channel] ?? defaultOf(channel, kind, { permissions, mode })),
    );
  return { app: recipientsBy('app'), email: recipientsBy('email') };
}
