import { createLru } from '@florin/contract/lru.ts';
import type { CurrencyFigures } from '@florin/contract/overview.ts';
import { createLimiter } from '../../platform/concurrency/limiter.ts';
import type { Scope } from '../../platform/database/scope.ts';
import type { Services } from '../../services.ts';
import { figuresOf } from './figures.ts';
import { type DaySpan, sumPayments, sumRefunds } from './sql.ts';

/** Cache time of figures, so that repeated requests run one query. */
const CACHE_MS = 15_000;
const CACHE_MAX = 1_000;
/**
 * Limit of concurrent sums, which read many rows and would otherwise take the connections that
 * lists need.
 */
const SUMS = { total: { max: 2, waiting_max: 64 }, wait_max_ms: 2_000 };

/**
 * Daily sums of a merchant's payments. Rejects with `OverloadedError` beyond the concurrency limit.
 */
export type Overview = (scope: Scope, span: DaySpan) => Promise<readonly CurrencyFigures[]>;

export function createOverview({ reads, config }: Pick<Services, 'reads' | 'config'>): Overview {
  const overviews = createLru<{
    readonly figures: Promise<CurrencyFigures[]>;
    readonly until: number;
  }>(CACHE_MAX);
  const sums = createLimiter(SUMS);
  const sum = async (scope: Scope, span: DaySpan): Promise<CurrencyFigures[]> =>
    figuresOf(
      await sums.run(() => sumPayments(reads, scope, span), scope.merchant_id),
      await sums.run(() => sumRefunds(reads, scope, span), scope.merchant_id),
    );
  return (scope, span) => {
    const key = JSON.stringify([scope.merchant_id, scope.mode, span.from, span.to, span.timezone]);
    const now = config.monotonic_ms();
    const cachedOverview = overviews.get(key);
    if (cachedOverview && cachedOverview.until > now) return cachedOverview.figures;
    const figures = sum(scope, span);
    overviews.set(key, { figures, until: now + CACHE_MS });
    figures.catch(() => overviews.delete(key));
    return figures;
  };
}
