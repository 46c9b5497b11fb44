import type { Services } from '../features/services.ts';
import { instantText } from '../kernel/clock.ts';
import { beginAnew, bringForward, isOfAnotherCluster, nextHorizon } from '../store/balances.ts';
import { startLoop } from './loop.ts';

/**
 * Brings balances forward by the transfers of the ledger, which payments write without waiting for each other. What is
 * posted meanwhile waits for the next look; whoever pays out adds it.
 */
export const startBalanceLoop = ({
  db,
  clock,
  logger,
  pulses,
  config,
  wake,
}: Services): AsyncDisposable =>
  startLoop({
    name: 'balance',
    logger,
    pulses,
    wake: wake.balance,
    poll_ms: config.work_poll_ms,
    async step() {
      if (await isOfAnotherCluster(db)) await db.transaction(beginAnew);
      const horizon = await nextHorizon(db);
      if (horizon !== undefined) {
        await db.transaction((tx) => bringForward(tx, horizon, instantText(clock.now())));
      }
      return false;
    },
  });
