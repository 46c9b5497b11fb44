import { problem } from '@florin/contract/errors.ts';
import {
  allNotificationKinds,
  type MemberNotification,
  type MemberNotifications,
  type NotificationChoice,
  type NotificationChoices,
  type NotificationKind,
  notificationChannels,
  notificationKinds,
  UNREAD_COUNTED_MAX,
  type UnreadCount,
} from '@florin/contract/member-notifications.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { flag, oneOf, optional, readBody, text } from '../../http/body.ts';
import { isoOf } from '../../http/page-cursor.ts';
import type { RequestContext } from '../../jsonapi/behaviour.ts';
import { requirePermission } from '../../jsonapi/permissions.ts';
import { isTrue, type Row } from '../../platform/database/row.ts';
import { isUuid } from '../../platform/ids.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { personOf } from '../people/dashboard/api.ts';
import { memberContext } from '../people/dashboard/member-context.ts';
import { defaultOf, maySee } from './decide.ts';
import { findChoices, saveChoice } from './sql/choices.ts';
import { findMembershipId } from './sql/members.ts';
import {
  countUnread,
  latestNotifications,
  type MemberScope,
  markRead,
  markReadUpTo,
} from './sql/notifications.ts';

/** Number of listed notifications. Earlier ones are not shown. */
const LISTED_MAX = 50;
/** Number of notifications that one request marks as read. */
const READ_MAX = 1_000;
const ID_MAX = 36;

/** A member's request, with the kinds that the member may see. */
interface MemberRequest {
  readonly ctx: RequestContext;
  readonly member: MemberScope;
  readonly kinds: readonly NotificationKind[];
}

/** Routes of a member's own notifications and of what the member is notified of. */
export function registerMemberNotifications(fastify: FastifyInstance, services: Services): void {
  const { reads, db, system_clock } = services;
  const readUnread = ({ member, kinds }: MemberRequest): Promise<number> =>
    countUnread(reads, member, kinds, UNREAD_COUNTED_MAX + 1);

  fastify.get('/dashboard/api/notifications/unread', async (request): Promise<UnreadCount> => {
    return { unread: await readUnread(await memberRequest(services, request)) };
  });
  fastify.get('/dashboard/api/notifications', async (request): Promise<MemberNotifications> => {
    const memberOf = await memberRequest(services, request);
    const { member, kinds } = memberOf;
    const rows = await latestNotifications(reads, member, kinds, LISTED_MAX);
    return { notifications: rows.map(notificationView), unread: await readUnread(memberOf) };
  });
  fastify.post('/dashboard/api/notifications/read', async (request, reply) => {
    const { member, kinds } = await memberRequest(services, request);
    const { id, up_to } = readIds(request.body);
    const at = instantText(system_clock.now());
    if (id !== undefined) await markRead(db, member, { id, at });
    if (up_to !== undefined)
      await markReadUpTo(db, member, kinds, { id: up_to, at, limit: READ_MAX });
    return reply.status(204).send();
  });
  fastify.get('/dashboard/api/notification_choices', async (request) =>
    choicesOf(services, await memberRequest(services, request)),
  );
  fastify.put('/dashboard/api/notification_choices', async (request, reply) => {
    const { ctx, member } = await memberRequest(services, request);
    const { kind, channel, on } = readBody(request.body, {
      kind: oneOf(allNotificationKinds),
      channel: oneOf(notificationChannels),
      on: flag,
    });
    requirePermission(ctx, services.models.get(notificationKinds[kind]), 'read');
    const at = instantText(system_clock.now());
    await saveChoice(db, member, { kind, channel, is_on: on, at });
    return reply.status(204).send();
  });
}

/** Ids in a request to mark notifications as read: of one, or of the newest one that was listed. */
function readIds(body: unknown): { readonly [name in 'id' | 'up_to']: string | undefined } {
  const ids = readBody(body ?? {}, { id: optional(text(ID_MAX)), up_to: optional(text(ID_MAX)) });
  for (const name of ['id', 'up_to'] as const)
    if (ids[name] !== undefined && !isUuid(ids[name]))
      throw problem('invalid', `${name} must be the id of a notification.`, {
        pointer: `/${name}`,
      });
  if (ids.id === undefined && ids.up_to === undefined)
    throw problem('blank', 'Send id, or up_to for a notification and all earlier ones.', {
      pointer: '/up_to',
    });
  return ids;
}

/** Throws 403 for people who are no members, such as operators: nobody notifies them here. */
async function memberRequest(services: Services, request: FastifyRequest): Promise<MemberRequest> {
  const ctx = await memberContext(services, request, { type: 'account_alerts' });
  const { account } = personOf(request);
  const membership_id = await findMembershipId(services.db, account.id, ctx.scope.merchant_id);
  if (membership_id === undefined)
    throw problem('forbidden', 'Only members of this merchant have notifications.', {
      header: 'Florin-Merchant',
    });
  const kinds = allNotificationKinds.filter((kind) => maySee(ctx.permissions, kind));
  return { ctx, member: { ...ctx.scope, membership_id }, kinds };
}

async function choicesOf(
  { db }: Services,
  { ctx, member, kinds }: MemberRequest,
): Promise<NotificationChoices> {
  const rows = await findChoices(db, member);
  const owner = { permissions: ctx.permissions, mode: member.mode };
  const isOn = (kind: NotificationKind, channel: (typeof notificationChannels)[number]) => {
    const row = rows.find((one) => one.kind === kind && one.channel === channel);
    return row ? isTrue(row.is_on) : defaultOf(channel, kind, owner);
  };
  const choices: NotificationChoice[] = kinds.map((kind) => ({
    kind,
    app: isOn(kind, 'app'),
    email: isOn(kind, 'email'),
  }));
  return { choices };
}

const notificationView = (row: Row): MemberNotification => ({
  id: row.id as string,
  kind: row.kind as NotificationKind,
  record_id: row.record_id as string,
  facts: JSON.parse(row.facts as string) as MemberNotification['facts'],
  more_count: Number(row.more_count),
  read_at: isoOf(row.read_at),
  created_at: isoOf(row.created_at) as string,
});
