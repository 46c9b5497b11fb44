import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import type { Micros } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { postCaptures, postRefunds } from '../ledger/post.ts';
import type { FollowUpKind } from './kinds.ts';

/**
 * Appends transfers of changed follow-ups. The only capture of a payment has none: the payment has
 * the transfers.
 */
export async function postFollowUps(
  services: Services,
  { operation }: FollowUpKind,
  tx: Db,
  changedRows: readonly { readonly before?: Row; readonly after: Row }[],
  now: Micros,
): Promise<void> {
  if (operation === 'refund') await postRefunds(services, tx, changedRows, now);
  else await postCaptures(services, tx, changedRows, now);
}
