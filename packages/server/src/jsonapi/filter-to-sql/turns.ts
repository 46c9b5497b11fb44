import { createGate, createKeyedGate, type KeyedGate } from '../../platform/concurrency/gate.ts';

/** Connections for what the interface reads; writes and work loops have others. */
export const READ_CONNECTIONS_MAX = 8;
/** Longest that one statement of a read may take. */
export const READ_TIMEOUT_MS = 2_000;

/** Statements of lists and includes under way at once; the connections that they leave are for records read by id. */
const OF_ALL = { places: READ_CONNECTIONS_MAX - 2, queue_max: 1_024, wait_max_ms: 2_000 };
/** Those of one merchant, which leave places to others. */
const OF_MERCHANT = { places: 4, queue_max: 512, wait_max_ms: 2_000 };

/** Runs statements of lists and includes so that no merchant has all connections. */
export function createTurns(): KeyedGate {
  const ofAll = createGate(OF_ALL);
  const ofMerchant = createKeyedGate(OF_MERCHANT);
  return (merchant_id, work) => ofMerchant(merchant_id, () => ofAll(work));
}
