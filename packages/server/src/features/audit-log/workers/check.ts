import { startLoop } from '../../../platform/workers/loop.ts';
import type { Services } from '../../../services.ts';
import { checkAuditLog } from '../check.ts';

const POLL_MS = 60_000;

/** Starts the loop that checks new rows of the audit log. */
export const startAuditCheckLoop = (services: Services): AsyncDisposable =>
  startLoop(
    // A jump of the clock does not hurry it.
    { ...services, clock: {} },
    { name: 'audit-check', poll_ms: POLL_MS, step: () => checkAuditLog(services) },
  );
