import { createLru, type Lru } from '@florin/contract/lru.ts';
import type { RateLimits } from '../../http/rate-limit.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Logger } from '../../platform/logger.ts';
import type { CellAddress, CellClient } from './cell-client.ts';
import type { CellFinder } from './find-cell.ts';
import { CLIENT_LIMITS, type ClientLimits, createAddressCounts } from './limits.ts';
import type { RouterMetrics } from './metrics.ts';
import type { Readiness } from './readiness.ts';

export interface CellRouterOptions {
  readonly global: Db;
  /** In the order in which they answer requests without a merchant. */
  readonly cells: readonly CellAddress[];
  readonly client: CellClient;
  readonly readiness: Pick<Readiness, 'inOrder'>;
  readonly finder: CellFinder;
  readonly limits: Pick<RateLimits, 'countAnonymous' | 'exempt'>;
  readonly metrics: Pick<RouterMetrics, 'observeExchange' | 'countRefusal'>;
  /** Limits of clients; default `CLIENT_LIMITS`. */
  readonly client_limits?: ClientLimits;
  readonly logger: Logger;
}

export interface RouterContext extends CellRouterOptions {
  readonly byName: ReadonlyMap<string, CellAddress>;
  /** Cells of accounts at processors. The directory has none. */
  readonly cellByAccount: Lru<CellAddress>;
  readonly addresses: ReturnType<typeof createAddressCounts>;
}

/** Maximum number of accounts at processors whose cell a router remembers. */
const ACCOUNTS_MAX = 10_000;

export const createRouterContext = (options: CellRouterOptions): RouterContext => ({
  ...options,
  byName: new Map(options.cells.map((cell) => [cell.name, cell])),
  cellByAccount: createLru<CellAddress>(ACCOUNTS_MAX),
  addresses: createAddressCounts((options.client_limits ?? CLIENT_LIMITS).requests_per_address_max),
});
