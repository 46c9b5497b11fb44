import { createGate, createKeyedGate, type KeyedGate } from '../../platform/concurrency/gate.ts';

/** Connections for reads of the interface; writes and work loops have others. */
export const READ_CONNECTIONS_MAX = 8;
/** Timeout of one reading statement. */
export const READ_TIMEOUT_MS = 2_000;

/** Concurrent statements of lists and includes; the remaining connections serve reads by id. */
const OF_ALL = { places: READ_CONNECTIONS_MAX - 2, queue_max: 1_024, wait_max_ms: 2_000 };
/** One merchant's limit, which leaves connections to others. */
const OF_MERCHANT = { places: 4, queue_max: 512, wait_max_ms: 2_000 };

/** Limits concurrent statements of lists and includes, so that no merchant uses all connections. */
export function createTurns(): KeyedGate {
  const ofAll = createGate(OF_ALL);
  const ofMerchant = createKeyedGate(OF_MERCHANT);
  return (merchant_id, work) => ofMerchant(merchant_id, () => ofAll(work));
}
