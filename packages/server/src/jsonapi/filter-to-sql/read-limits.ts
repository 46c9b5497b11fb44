import { createLimiter } from '../../platform/concurrency/limiter.ts';

/** Connections for reads of the interface. Writes and work loops have others. */
export const READ_CONNECTIONS_MAX = 8;
/** Timeout of one statement of a read. */
export const READ_TIMEOUT_MS = 2_000;

/** Statements of lists and includes that run at once. The remaining connections are for records read by id. */
const ALL = { max: READ_CONNECTIONS_MAX - 2, waiting_max: 1_024 };
/** Statements of one merchant. */
const MERCHANT = { max: 4, waiting_max: 512 };
/** Longest wait at each of the two limits. */
const WAIT_MAX_MS = 2_000;

/** Runs a merchant's statement of a list or include when the merchant, and then all together, have a free slot. */
type LimitRead = <T>(merchant_id: string, read: () => Promise<T>) => Promise<T>;

/** Limits such statements, so that no merchant uses all connections. */
export function createReadLimit(): LimitRead {
  const merchants = createLimiter({ key: MERCHANT, wait_max_ms: WAIT_MAX_MS });
  const all = createLimiter({ all: ALL, wait_max_ms: WAIT_MAX_MS });
  return (merchant_id, read) => merchants.run(() => all.run(read, merchant_id), merchant_id);
}
