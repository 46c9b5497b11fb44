import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { insertRows } from '../../platform/database/rows.ts';
import type { Micros } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { findPayable, lockHorizon } from '../ledger/sql/balances.ts';
import { appendTransfers } from '../ledger/sql/ledger.ts';
import { transferOf } from '../ledger/transfers.ts';
import { PAYOUT_LEAST_CENTS, payoutOf } from './decide.ts';

/** Maximum number of balances that one step pays out. */
const PAYOUTS_MAX = 500;

/**
 * Pays out available amounts after a settled day, once per merchant and currency. Returns whether
 * there were any.
 */
export async function payOut(
  { catalog }: Services,
  tx: Db,
  progress: Row,
  now: Micros,
): Promise<boolean> {
  const { from: horizon } = await lockHorizon(tx);
  const day = progress.day as string;
  const balances = await findPayable(tx, {
    mode: progress.mode as string,
    day,
    least_cents: PAYOUT_LEAST_CENTS,
    limit: PAYOUTS_MAX,
    horizon,
  });
  const payouts = balances.map((balance) => payoutOf(balance, day, now));
  await insertRows(tx, catalog, 'payouts', payouts);
  const transfers = payouts.map((payout) =>
    transferOf('paid_out', payout, payout.amount_cents, null, now),
  );
  await appendTransfers(tx, catalog, transfers);
  return payouts.length > 0;
}
