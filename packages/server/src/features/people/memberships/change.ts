import { isDeepStrictEqual } from 'node:util';
import type { Behaviour, RequestContext } from '../../../jsonapi/behaviour.ts';
import type { Db } from '../../../platform/database/db.ts';
import { hasPeopleApart } from '../../../platform/database/in-both.ts';
import type { Row } from '../../../platform/database/row.ts';
import type { ChangedRow } from '../../../platform/database/transition.ts';
import { instantText } from '../../../platform/time/clock.ts';
import type { Services } from '../../../services.ts';
import { type KeySettlement, settleKeys } from '../../merchants/member-keys.ts';
import {
  conditionsOf,
  createUpdater,
  type UpdateItem,
  type UpdaterOptions,
} from '../../records/updater.ts';
import { isRemoved, requireNotRemoved, requireOpen, requireReach } from './decide.ts';
import { permissionsOf, requireEmailLimit, writeInvitation } from './invite.ts';

type Action = NonNullable<Behaviour['actions']>[string];

interface Changes {
  readonly update: NonNullable<Behaviour['update']>;
  readonly remove: Action;
  readonly resend: Action;
}

/** Creates the actions on existing memberships. */
export function createChanges(services: Services): Changes {
  const { db } = services;
  const updaterWith = (followOnChanges: UpdaterOptions['followOnChanges']) =>
    createUpdater(services, {
      table: 'memberships',
      ...(followOnChanges && { followOnChanges: followOnChanges }),
    });
  const change = updaterWith(undefined);
  const resend = updaterWith((tx, changed) => sendAgain(services, tx, changed));
  return {
    async update(ctx, id, input) {
      const hasPermissions = input.relationships.permissions !== undefined;
      const permissions = await permissionsOf(db, ctx, input);
      return shownRow(
        await change(
          itemOf(ctx, id, (row) => {
            requireNotRemoved(row);
            requireReach(ctx, row);
            const isOther = hasPermissions && !isSameSet(permissions, row.permissions ?? '[]');
            const set = isOther ? { permissions, invited_mode: ctx.scope.mode } : {};
            return { set, events: [] };
          }),
        ),
      );
    },
    async remove(ctx, id, input) {
      const settlement = input.attributes.keys as KeySettlement | undefined;
      const settled: string[] = [];
      const change = updaterWith(async (tx, changed, now) => {
        for (const { after } of changed) {
          const leaving = {
            merchant_id: after.merchant_id as string,
            membership_id: id,
            settlement,
          };
          settled.push(...(await settleKeys(services, tx, ctx, leaving, now)));
        }
      });
      const item = itemOf(ctx, id, (row, now) => {
        if (isRemoved(row)) return { set: {}, events: [] };
        requireReach(ctx, row);
        return { set: { ...removedColumns, removed_at: instantText(now) }, events: [] };
      });
      const row = await change(item);
      for (const hash of settled) services.callers.evict(hash);
      return shownRow(row);
    },
    async resend(ctx, id) {
      const item = itemOf(ctx, id, (row) => {
        requireNotRemoved(row);
        requireOpen(row);
        requireReach(ctx, row);
        return { set: { permissions: row.permissions ?? '[]' }, events: [] };
      });
      const row = await resend(item);
      services.wake.account_emails.raise();
      return shownRow(row);
    },
  };
}

const itemOf = (ctx: RequestContext, id: string, decide: UpdateItem['decide']): UpdateItem => ({
  ...conditionsOf(ctx, id),
  decide,
});

/** Whether two JSON lists have the same items in any order. */
const isSameSet = (a: string, b: string): boolean =>
  isDeepStrictEqual(new Set(JSON.parse(a)), new Set(JSON.parse(b)));

/** A removed membership has no permissions and hides its account. */
const removedColumns: Row = { permissions: '[]', accepted_at: null };

async function sendAgain(
  services: Services,
  tx: Db,
  changedMemberships: readonly ChangedRow[],
): Promise<void> {
  for (const { after } of changedMemberships) {
    const people = hasPeopleApart(services) ? undefined : tx;
    await requireEmailLimit(people, services, after.merchant_id as string, after.email as string);
    await writeInvitation(tx, services.system_clock.now(), after);
  }
}

/** Membership as clients see it: an open invitation hides its account. */
const shownRow = (row: Row): Row => (row.accepted_at ? row : { ...row, account_id: null });
