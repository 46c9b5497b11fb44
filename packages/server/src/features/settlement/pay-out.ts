import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { insertRows } from '../../platform/database/rows.ts';
import { UUID_MIN } from '../../platform/database/slices/key-slices.ts';
import type { Micros } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { findPayable, lockHorizon } from '../ledger/sql/balances.ts';
import { appendTransfers } from '../ledger/sql/ledger.ts';
import { transferOf } from '../ledger/transfers.ts';
import { lastOfNextMerchants } from '../merchants/sql/merchants.ts';
import { PAYOUT_LEAST_CENTS, payoutOf } from './decide.ts';
import { storePaidThrough } from './sql.ts';

/** Maximum number of merchants that one step pays out to. */
const MERCHANTS_MAX = 500;

/**
 * Pays out available amounts after a settled day, once per merchant and currency: those of the next merchants, in the
 * order of their ids. Returns whether there were any.
 */
export async function payOut(
  services: Pick<Services, 'catalog'>,
  tx: Db,
  progress: Row,
  now: Micros,
  merchants_max: number = MERCHANTS_MAX,
): Promise<boolean> {
  const { day, paid_on, paid_through } = progress;
  const after = (paid_on === day && paid_through) || UUID_MIN;
  const through = await lastOfNextMerchants(tx, after, merchants_max);
  if (through === undefined) return false;
  const { from: horizon } = await lockHorizon(tx);
  const balances = await findPayable(tx, {
    mode: progress.mode as string,
    day: day as string,
    least_cents: PAYOUT_LEAST_CENTS,
    after,
    through,
    horizon,
  });
  await storePayouts(
    services,
    tx,
    balances.map((balance) => payoutOf(balance, day as string, now)),
    now,
  );
  await storePaidThrough(tx, progress, through);
  return true;
}

/** Stores payouts with their transfers. The caller has locked the horizon of the balances. */
export async function storePayouts(
  { catalog }: Pick<Services, 'catalog'>,
  tx: Db,
  payouts: readonly Row[],
  now: Micros,
): Promise<void> {
  await insertRows(tx, catalog, 'payouts', payouts);
  const transfers = payouts.map((payout) =>
    transferOf('paid_out', payout, payout.amount_cents, null, now),
  );
  await appendTransfers(tx, catalog, transfers);
}
