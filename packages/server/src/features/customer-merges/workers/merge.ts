import { startLoop } from '../../../platform/workers/loop.ts';
import type { Services } from '../../../services.ts';
import { continueMerges } from '../continue-merge.ts';

/** Starts the loop that moves records of merged customers. */
export const startMergeLoop = (services: Services): AsyncDisposable =>
  startLoop(services, {
    name: 'merge',
    poll_ms: services.config.work_poll_ms,
    due: [{ table: 'customer_merges' }],
    step: () => continueMerges(services),
  });
