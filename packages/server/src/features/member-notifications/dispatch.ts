import type { ChangeKind, NotificationFacts } from '@florin/contract/member-notifications.ts';
import { isPassingError } from '../../platform/concurrency/batcher.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import type { RowKey } from '../../platform/database/row-key.ts';
import type { Scope } from '../../platform/database/scope.ts';
import { instantText, seconds } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { MEMBER_NOTIFICATION } from '../people/emails/kinds.ts';
import { writeAccountEmail } from '../people/emails/write.ts';
import { recipientsOf } from './decide.ts';
import { HOURLY_MAX, takeHourly } from './hourly-limits.ts';
import { type Occasion, occasionOf } from './occasion.ts';
import { type MemberNotice, showToMembers } from './show.ts';
import { deferChange, deleteChange, findRecord, lockDueChange } from './sql/changes.ts';
import { findNotifiedMembers } from './sql/members.ts';

/** Seconds after which a change that could not be given to members is tried again. */
const RETRY_S = 300;

export type DispatchServices = Pick<
  Services,
  'db' | 'system_clock' | 'logger' | 'access_signer'
> & {
  readonly wake: Pick<Services['wake'], 'account_emails'>;
};

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
    if (locked) services.wake.account_emails.raise();
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
  const kind = change.kind as ChangeKind;
  const record = await findRecord(tx, change, kind);
  const occasion: Occasion = record && occasionOf(kind, record, services.system_clock.now());
  if (occasion && 'again_at' in occasion)
    return void (await deferChange(tx, keyOf(change), instantText(occasion.again_at)));
  if (occasion) await notifyMembers(services, tx, change, occasion.facts);
  await deleteChange(tx, keyOf(change));
}

async function notifyMembers(
  services: DispatchServices,
  tx: Db,
  change: Row,
  facts: NotificationFacts,
): Promise<void> {
  const { mode } = change as unknown as Scope;
  const kind = change.kind as ChangeKind;
  const members = await findNotifiedMembers(tx, change as unknown as Scope, kind);
  const { app, email } = recipientsOf(members, kind, mode);
  await showToMembers(services, tx, change, { facts, recipients: app });
  await emailMembers(services, tx, change, { facts, recipients: email });
}

/** Stores emails to members below their limit. The last one says that no more follow within the hour. */
async function emailMembers(
  services: DispatchServices,
  tx: Db,
  { merchant_id, mode, kind, record_id }: Row,
  { facts, recipients }: MemberNotice,
): Promise<void> {
  const counts = await takeHourly(services, tx, { mode, kind } as Row, {
    channel: 'email',
    recipients,
  });
  for (const { membership_id, email } of recipients) {
    const count = counts.get(membership_id);
    if (count === undefined) continue;
    const notification = { merchant_id, mode, kind, record_id, membership_id, facts };
    const is_last = String(count === HOURLY_MAX.email);
    await writeAccountEmail(tx, services.system_clock.now(), {
      kind: MEMBER_NOTIFICATION,
      to_email: email,
      facts: { notification: JSON.stringify(notification), is_last },
    });
  }
}
