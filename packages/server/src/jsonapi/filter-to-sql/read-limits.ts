import { createLimiter, type Limiter } from '../../platform/concurrency/limiter.ts';

/** Connections for reads by API requests. Writes and work loops have separate connections. */
export const READ_CONNECTIONS_MAX = 12;
/** Timeout of one statement of a read. */
export const READ_TIMEOUT_MS = 2_000;

/** The dashboard's concurrent sums, counts and searches, each of which may read many rows. Merchants take turns. */
const DASHBOARD = {
  total: { max: 4, waiting_max: 64 },
  per_key: { max: 2, waiting_max: 16 },
  wait_max_ms: 2_000,
};
/** Connections that only fetches by id use. */
const RESERVED = 2;
/** Maximum number of concurrent statements of lists and includes. */
const ALL = { max: READ_CONNECTIONS_MAX - DASHBOARD.total.max - RESERVED, waiting_max: 1_024 };
/** Maximum number of concurrent statements of one merchant. */
const MERCHANT = { max: 4, waiting_max: 512 };
/** Longest wait in each of the two queues. */
const WAIT_MAX_MS = 2_000;

/**
 * Runs a statement of a list or include after the merchant's and the common concurrency limiter give it a
 * slot.
 */
type LimitRead = <T>(merchant_id: string, read: () => Promise<T>) => Promise<T>;

/** Creates the limiters of list and include statements, so that no merchant uses all connections. */
export function createReadLimit(): LimitRead {
  const merchantLimiter = createLimiter({ per_key: MERCHANT, wait_max_ms: WAIT_MAX_MS });
  const commonLimiter = createLimiter({ total: ALL, wait_max_ms: WAIT_MAX_MS });
  return (merchant_id, read) =>
    merchantLimiter.run(() => commonLimiter.run(read, merchant_id), merchant_id);
}

/** Creates the limiter that the dashboard's sums, counts and searches share. Keys are ids of merchants. */
export const createDashboardLimiter = (): Limiter => createLimiter(DASHBOARD);
