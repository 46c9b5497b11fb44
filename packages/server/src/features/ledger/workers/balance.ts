import { instantText } from '../../../platform/time/clock.ts';
import { startLoop } from '../../../platform/workers/loop.ts';
import type { Services } from '../../../services.ts';
import { bringForward, nextSlice } from '../sql/balances.ts';
import { ensureAnchor } from '../sql/ledger-anchor.ts';

/**
 * Adds the ledger's new transfers to the balances, since payments post without waiting for each
 * other. Later transfers wait for the next poll; a payout adds them itself.
 */
export const startBalanceLoop = (services: Services): AsyncDisposable =>
  startLoop({
    name: 'balance',
    logger: services.logger,
    loop_statuses: services.loop_statuses,
    wake: services.wake.balance,
    poll_ms: services.config.work_poll_ms,
    step: () => bringBalancesForward(services),
  });

/** Adds one slice of transfers to the balances. Returns whether there are more. */
export async function bringBalancesForward(
  { db, clock, logger }: Pick<Services, 'db' | 'clock' | 'logger'>,
  brought_max?: number,
): Promise<boolean> {
  await anchorLedger({ db, logger });
  const slice = await nextSlice(db, brought_max);
  if (!slice) return false;
  const { horizon, transactions_left } = slice;
  await db.transaction((tx) => bringForward(tx, horizon, instantText(clock.now())));
  if (transactions_left > 0n) {
    const left = { transactions_left: String(transactions_left) };
    logger.info(left, 'balances are behind and catch up');
  }
  return transactions_left > 0n;
}

/**
 * Continues the stamps of transfers after those of the cluster that the database was restored from.
 */
export async function anchorLedger({ db, logger }: Pick<Services, 'db' | 'logger'>): Promise<void> {
  if (await ensureAnchor(db)) {
    logger.warn('the database was restored from another cluster: the ledger continues in this one');
  }
}
