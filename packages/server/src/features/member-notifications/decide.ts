import {
  type NotificationChannel,
  type NotificationKind,
  notificationKinds,
} from '@florin/contract/member-notifications.ts';
import { type Access, permissionSlug } from '@florin/contract/permissions.ts';
import { resources } from '@florin/contract/resources/index.ts';
import type { Requester } from '../../platform/caller.ts';
import type { Scope } from '../../platform/database/scope.ts';

type Permissions = Requester['permissions'];

/** A member with the choices that differ from the defaults. */
export interface NotifiedMember {
  readonly membership_id: string;
  readonly permissions: Permissions;
  readonly choices: Readonly<Partial<Record<NotificationChannel, boolean>>>;
}

/** Whether the member may read the record that a notification is about. */
export const maySee = (permissions: Permissions, kind: NotificationKind): boolean =>
  holds(permissions, kind, 'read');

/**
 * Whether a member gets a kind without a choice: in the dashboard, everyone who may see the record; by email, those who
 * can act on it, in live mode.
 */
export const defaultOf = (
  channel: NotificationChannel,
  kind: NotificationKind,
  { permissions, mode }: { readonly permissions: Permissions; readonly mode: Scope['mode'] },
): boolean => channel === 'app' || (mode === 'live' && holds(permissions, kind, 'update'));

/** Memberships that get a notification, by channel. */
export function recipientsOf(
  members: readonly NotifiedMember[],
  kind: NotificationKind,
  mode: Scope['mode'],
): Readonly<Record<NotificationChannel, readonly string[]>> {
  const recipientsBy = (channel: NotificationChannel): string[] =>
    members
      .filter(
        ({ permissions, choices }) =>
          maySee(permissions, kind) &&
          (choices[channel] ?? defaultOf(channel, kind, { permissions, mode })),
      )
      .map(({ membership_id }) => membership_id);
  return { app: recipientsBy('app'), email: recipientsBy('email') };
}

const holds = (permissions: Permissions, kind: NotificationKind, access: Access): boolean =>
  permissions === 'all' ||
  permissions.has(permissionSlug(resources[notificationKinds[kind]], access));
