import { type NotificationKind, notificationKinds } from '@florin/contract/member-notifications.ts';
import { type Access, permissionSlug } from '@florin/contract/permissions.ts';
import { resources } from '@florin/contract/resources/index.ts';
import type { Requester } from '../../../platform/caller.ts';

/** Whether a member has the access to the records that a kind of notification is about. */
export const hasAccessToKind = (
  permissions: Requester['permissions'],
  kind: NotificationKind,
  access: Access,
): boolean =>
  permissions === 'all' ||
  permissions.has(permissionSlug(resources[notificationKinds[kind]], access));
