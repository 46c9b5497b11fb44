import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyOfText, keyText } from '../../platform/database/row-key.ts';
import type { ChangedRow } from '../../platform/database/transition.ts';
import { lockRows, transition } from '../../platform/database/transition.ts';
import { instantText, type Micros } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { decideExpire, decideUses } from './decide.ts';
import { lockOverdueLinks } from './sql.ts';

const EXPIRE_BATCH_MAX = 100;

/**
 * Counts newly succeeded payments as uses of their links, in the same transaction. Locks payments
 * before links. A subscription counts as one use: only its first charge names the link.
 */
export async function countUses(
  { catalog }: Pick<Services, 'catalog'>,
  tx: Db,
  changedPayments: readonly ChangedRow[],
  now: Micros,
): Promise<void> {
  const paid = changedPayments.filter(isFirstSuccess).map(({ after }) => after);
  if (paid.length === 0) return;
  const byLink = Map.groupBy(paid, linkText);
  const links = await lockRows(tx, 'payment_links', [...byLink.keys()].map(keyOfText));
  const changes = [...links].map(([key, row]) => {
    const { events: _none, ...change } = decideUses(row, byLink.get(key)?.length ?? 0, now);
    return { before: row, ...change };
  });
  await transition(tx, catalog, { table: 'payment_links', at: instantText(now) }, changes);
}

/**
 * Whether a payment succeeded for the first time. After a won dispute it succeeds again, but does
 * not count twice.
 */
const isFirstSuccess = ({ before, after }: ChangedRow): boolean =>
  isSet(after.payment_link_id) && !isSet(before.succeeded_at) && isSet(after.succeeded_at);

const isSet = (value: string | null | undefined): boolean => (value ?? null) !== null;

const linkText = ({ merchant_id = null, payment_link_id = null }: Row): string =>
  keyText({ merchant_id, id: payment_link_id });

/**
 * Expires overdue links. Returns whether there may be more. Payers cannot use an overdue link even
 * before this runs.
 */
export async function expireLinks({ db, catalog, clock, within }: Services): Promise<boolean> {
  const claimScope = await within?.();
  return db.transaction(async (tx) => {
    const now = clock.now();
    const overdue = await lockOverdueLinks(tx, instantText(now), EXPIRE_BATCH_MAX, claimScope);
    const changes = overdue.map((row) => {
      const { events: _none, ...change } = decideExpire(row, now);
      return { before: row, ...change };
    });
    await transition(tx, catalog, { table: 'payment_links', at: instantText(now) }, changes);
    return overdue.length === EXPIRE_BATCH_MAX;
  });
}
