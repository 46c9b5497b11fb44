import type { Config } from '../../../config/config.ts';
import { startLoop } from '../../../platform/workers/loop.ts';
import type { Services } from '../../../services.ts';
import { stopOfArchived } from '../stop.ts';

/** Deliveries per transaction. */
const STOP_BATCH_MAX = 1_000;

export type StopServices = Pick<
  Services,
  'clock' | 'logger' | 'loop_statuses' | 'db' | 'catalog'
> & {
  readonly config: Pick<Config, 'work_poll_ms'>;
};

/** Starts the loop that stops deliveries of archived subscriptions. */
export const startStopLoop = (services: StopServices): AsyncDisposable =>
  startLoop(services, {
    name: 'stop',
    poll_ms: services.config.work_poll_ms,
    step: async () => (await stopOfArchived(services, STOP_BATCH_MAX)) === STOP_BATCH_MAX,
  });
