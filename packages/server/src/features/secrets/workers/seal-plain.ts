import { startLoop } from '../../../platform/workers/loop.ts';
import type { Services } from '../../../services.ts';
import { sealPlainTexts } from '../seal-plain.ts';

/** Older processes of an upgrade may store plain texts until they are replaced. */
const POLL_MS = 60 * 60 * 1_000;

/** Starts the loop that seals texts which an earlier version of Florin stored in plain. */
export const startSealLoop = (services: Services): AsyncDisposable =>
  startLoop(
    // A jump of the clock does not hurry it.
    { ...services, clock: {} },
    { name: 'seal', poll_ms: POLL_MS, step: () => sealPlainTexts(services) },
  );
