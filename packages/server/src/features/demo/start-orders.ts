import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../platform/logger.ts';
import { makeFirstOrders } from './orders.ts';
import { createProgram } from './shop/program.ts';

const PAUSE_MS = 100;

export interface StartOrders {
  readonly interface_url: string;
  readonly secret_key: string;
  readonly logger: Logger;
}

/** Creates the first orders in the background. After an error, the orders created so far remain. */
export function startFirstOrders({
  interface_url,
  secret_key,
  logger,
}: StartOrders): AsyncDisposable {
  const stopController = new AbortController();
  const program = createProgram(interface_url, secret_key);
  const pause = (): Promise<void> => sleep(PAUSE_MS, undefined, { signal: stopController.signal });
  const firstOrders = makeFirstOrders({ program, interface_url, pause }).catch((error: Error) => {
    if (!stopController.signal.aborted) {
      logger.warn({ err: { message: error.message } }, 'demo orders incomplete');
    }
  });
  return {
    async [Symbol.asyncDispose]() {
      stopController.abort();
      await firstOrders;
    },
  };
}
