import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createLimiter } from '../../../platform/concurrency/limiter.ts';

/** Concurrent files, which may read the ledger of all merchants. Merchants take turns. */
const PAYOUT_FILES = {
  total: { max: 8, waiting_max: 64 },
  per_key: { max: 2, waiting_max: 8 },
  wait_max_ms: 2_000,
};

/**
 * Sends a merchant's file when a slot is free, and resolves at its end. Rejects with `OverloadedError` beyond the limit.
 */
type RunFile = (
  merchant_id: string,
  lines: AsyncIterable<string>,
  send: (file: Readable) => void,
) => Promise<void>;

export function createFileLimit(): RunFile {
  const limiter = createLimiter(PAYOUT_FILES);
  return (merchant_id, lines, send) =>
    limiter.run(async () => {
      const file = Readable.from(lines);
      send(file);
      // Fastify reports an error of the file, and destroys the file of a client that disconnects.
      await finished(file).catch(() => undefined);
    }, merchant_id);
}
