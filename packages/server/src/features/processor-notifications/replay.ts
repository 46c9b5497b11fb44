import { notFound } from '../../jsonapi/problems.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { insertEntry } from '../processor-accounts/sql.ts';
import { replayNotification } from './sql/notifications.ts';

/** Applies a notification again for an operator, and audits it at its account. Throws 404 for an unknown one. */
export async function replay(
  { db, system_clock, wake }: Pick<Services, 'db' | 'system_clock' | 'wake'>,
  account_id: string,
  id: string,
): Promise<void> {
  const now = system_clock.now();
  const at = instantText(now);
  await db.transaction(async (tx) => {
    const processor_account_id = await replayNotification(tx, id, { at, account_id });
    if (processor_account_id === undefined) throw notFound();
    await insertEntry(tx, {
      id: uuidv7(now),
      processor_account_id,
      account_id,
      action: 'replayed',
      details: JSON.stringify({ notification: id }),
      created_at: at,
    });
  });
  wake.notification.raise();
}
