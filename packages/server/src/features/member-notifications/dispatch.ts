import type { NotificationKind } from '@florin/contract/member-notifications.ts';
import { isPassingError } from '../../platform/concurrency/batcher.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import type { RowKey } from '../../platform/database/row-key.ts';
import type { Scope } from '../../platform/database/scope.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { instantText, seconds } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { recipientsOf } from './decide.ts';
import { takeHourly } from './hourly-limits.ts';
import { type Occasion, occasionOf } from './occasion.ts';
import { deferChange, deleteChange, findRecord, lockDueChange } from './sql/changes.ts';
import { findNotifiedMembers } from './sql/members.ts';
import { countMore, insertNotifications } from './sql/notifications.ts';

/** Seconds after which a change that could not be given to members is tried again. */
const RETRY_S = 300;

export type DispatchServices = Pick<Services, 'db' | 'system_clock' | 'logger' | 'access_signer'>;

/**
 * Gives the next due change to the members who may see its record, in one transaction: a crash repeats all of it.
 * Returns whether a change was due.
 */
export async function dispatchNext(services: DispatchServices): Promise<boolean> {
  const { db, system_clock, logger } = services;
  let locked: Row | undefined;
  try {
    await db.transaction(async (tx) => {
      locked = await lockDueChange(tx, instantText(system_clock.now()));
      if (locked) await dispatch(services, tx, locked);
    });
  } catch (error) {
    if (!locked || isPassingError(error)) throw error;
    // Without a delay, the change would stop all later ones.
    const err = { message: (error as Error).message };
    logger.error({ change: locked.id, kind: locked.kind, err }, 'members not notified');
    await deferChange(db, keyOf(locked), instantText(system_clock.now() + seconds(RETRY_S)));
  }
  return locked !== undefined;
}

const keyOf = ({ merchant_id, id }: Row): RowKey => ({
  merchant_id: merchant_id as string,
  id: id as string,
});

async function dispatch(services: DispatchServices, tx: Db, change: Row): Promise<void> {
  const kind = change.kind as NotificationKind;
  const record = await findRecord(tx, change, kind);
  const occasion: Occasion = record && occasionOf(kind, record, services.system_clock.now());
  if (occasion && 'again_at' in occasion)
    return void (await deferChange(tx, keyOf(change), instantText(occasion.again_at)));
  if (occasion) await notifyMembers(services, tx, change, JSON.stringify(occasion.facts));
  await deleteChange(tx, keyOf(change));
}

async function notifyMembers(
  services: DispatchServices,
  tx: Db,
  change: Row,
  facts: string,
): Promise<void> {
  const scope = change as unknown as Scope;
  const kind = change.kind as NotificationKind;
  const members = await findNotifiedMembers(tx, scope, kind);
  const { app } = recipientsOf(members, kind, scope.mode);
  const now = services.system_clock.now();
  const allowed = await takeHourly(services, tx, change, 'app', app);
  const recipients = app
    .filter((membership_id) => allowed.has(membership_id))
    .map((membership_id) => ({ id: uuidv7(now), membership_id }));
  await insertNotifications(tx, change, facts, recipients);
  const others = app.filter((membership_id) => !allowed.has(membership_id));
  if (others.length > 0) await countMore(tx, change, others);
}
