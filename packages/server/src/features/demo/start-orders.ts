import { setTimeout as sleep } from 'node:timers/promises';
import { ownUrl } from '../../config/config.ts';
import type { Services } from '../../services.ts';
import type { Credentials } from './credentials.ts';
import { makeFirstOrders } from './orders.ts';
import { createProgram } from './shop/program.ts';

const PAUSE_MS = 100;

/** Creates the first orders in the background. After an error, the orders created so far remain. */
export function startFirstOrders(
  { config, logger }: Pick<Services, 'config' | 'logger'>,
  { sandbox }: Credentials,
): AsyncDisposable {
  const stopController = new AbortController();
  const interface_url = ownUrl(config);
  const program = createProgram(interface_url, sandbox.secret_key);
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
