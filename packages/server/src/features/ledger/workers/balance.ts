import { instantText } from '../../../platform/time/clock.ts';
import { startLoop } from '../../../platform/workers/loop.ts';
import type { Services } from '../../../services.ts';
import { addTransfers, findNextSlice } from '../sql/balances.ts';
import { ensureAnchor } from '../sql/ledger-anchor.ts';

/**
 * Loop that adds the ledger's new transfers to the balances. Payments post only transfers, so that
 * they do not wait for each other.
 */
export const startBalanceLoop = (services: Services): AsyncDisposable =>
  startLoop(services, {
    name: 'balance',
    wake: services.wake.balance,
    poll_ms: services.config.work_poll_ms,
    step: () => addNextSlice(services),
  });

/** Adds one slice of transfers to the balances. Returns whether transfers remain. */
export async function addNextSlice(
  { db, clock, logger }: Pick<Services, 'db' | 'clock' | 'logger'>,
  transfers_max?: number,
): Promise<boolean> {
  await anchorLedger({ db, logger });
  const slice = await findNextSlice(db, transfers_max);
  if (!slice) return false;
  const { horizon, transactions_left } = slice;
  await db.transaction((tx) => addTransfers(tx, horizon, instantText(clock.now())));
  if (transactions_left > 0n) {
    const facts = { transactions_left: String(transactions_left) };
    logger.info(facts, 'balances behind the ledger: transfers remain to be added');
  }
  return transactions_left > 0n;
}

/** Anchors the ledger in this cluster: new stamps continue after those of a restored database. */
export async function anchorLedger({ db, logger }: Pick<Services, 'db' | 'logger'>): Promise<void> {
  if (await ensureAnchor(db)) {
    logger.warn('database restored into another PostgreSQL cluster: ledger stamps continue here');
  }
}
