import { newId } from '@florin/dev-env/insert-unchecked.ts';
import { runConcurrently } from '@florin/dev-env/two-actors.ts';
import {
  countMore,
  deleteNotificationsOf,
} from '../../src/features/member-notifications/sql/notifications.ts';
import { isClosedFor } from '../../src/features/restore/sql/run-holder.ts';
import type { Db } from '../../src/platform/database/db.ts';
import { type RunActors, useDescribeLock, useLockTestDatabase } from './use-locks.ts';

const database = useLockTestDatabase();
const describeLock = useDescribeLock(database);

interface Notifications {
  readonly scope: { readonly merchant_id: string; readonly mode: 'sandbox' };
  readonly membership_id: string;
  /** Change of the latest notification, and of the one before it. */
  readonly latest: string;
  readonly middle: string;
}

type Act = (tx: Db, notifications: Notifications) => Promise<unknown>;

const countOne: Act = (tx, { scope, membership_id }) =>
  countMore(tx, { ...scope, kind: 'mention' }, [membership_id]);
const deleteLatest: Act = (tx, { scope, latest }) => deleteNotificationsOf(tx, scope, latest);
const deleteMiddle: Act = (tx, { scope, middle }) => deleteNotificationsOf(tx, scope, middle);

/** Three notifications of a member. Returns the changes that all that remain count. */
const prepareNotifications =
  (first: Act, second: Act, more_count: number) => async (): Promise<RunActors> => {
    const scope = { merchant_id: newId(), mode: 'sandbox' as const };
    const membership_id = newId();
    const [latest, middle] = [newId(), newId()];
    const rowOf = (change_id: string, day: number, count: number) => ({
      ...{ ...scope, id: newId(), membership_id, kind: 'mention', change_id },
      ...{ created_at: `2026-01-0${day}T00:00:00Z`, more_count: count },
    });
    await database.insertUnchecked('memberships', {
      merchant_id: scope.merchant_id,
      id: membership_id,
    });
    await database.insertUnchecked(
      'member_notifications',
      rowOf(newId(), 1, 0),
      rowOf(middle, 2, 0),
      rowOf(latest, 3, more_count),
    );
    const notifications = { scope, membership_id, latest, middle };
    return async (db) => {
      await runConcurrently(db, {
        first: (tx: Db) => first(tx, notifications),
        second: (tx: Db) => second(tx, notifications),
      });
      const [row] = await db.query(
        `select sum(more_count)::int as counted from member_notifications where merchant_id = $1`,
        [scope.merchant_id],
      );
      return Number((row as { counted: unknown }).counted);
    };
  };

describeLock(
  'notifications.ts countMore counts beside a deletion',
  prepareNotifications(deleteLatest, countOne, 0),
  1,
);
describeLock(
  'notifications.ts deleteNotificationsOf moves what is counted meanwhile',
  prepareNotifications(countOne, deleteLatest, 0),
  1,
);
describeLock(
  'notifications.ts deleteNotificationsOf passes over a previous one that is deleted',
  prepareNotifications(deleteMiddle, deleteLatest, 1),
  1,
);

const RESTORED_TO = '2026-01-01T00:00:00Z';

describeLock(
  'run-holder.ts isClosedFor waits for a transaction that opens',
  async () => {
    await database.empty(['installation_facts']);
    await database.insertUnchecked('installation_facts', { name: 'restored', value: RESTORED_TO });
    const open = (tx: Db) => tx.query(`delete from installation_facts where name = 'restored'`, []);
    const begin = (tx: Db) => isClosedFor(tx, RESTORED_TO);
    return async (db) => (await runConcurrently(db, { first: open, second: begin })).second;
  },
  false,
);
