import { startLoop } from '../../../platform/workers/loop.ts';
import type { Services } from '../../../services.ts';
import { createHashStep } from '../key-hashes.ts';
import { sealPlainTexts } from '../seal-plain.ts';

/** Older processes of an upgrade may store plain texts until they are replaced. */
const POLL_MS = 60 * 60 * 1_000;

/** Starts the loop that seals texts, and keys hashes, which an earlier version of Florin stored in plain. */
export function startSealLoop(services: Services): AsyncDisposable {
  const keyHashes = createHashStep(services);
  const step = async () => (await sealPlainTexts(services)) || (await keyHashes());
  // A jump of the clock does not hurry it.
  return startLoop({ ...services, clock: {} }, { name: 'seal', poll_ms: POLL_MS, step });
}
