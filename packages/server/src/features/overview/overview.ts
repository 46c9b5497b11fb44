import { createLru } from '@florin/contract/lru.ts';
import type { CurrencyFigures } from '@florin/contract/overview.ts';
import { createLimiter } from '../../platform/concurrency/limiter.ts';
import type { Scope } from '../../platform/database/scope.ts';
import type { Services } from '../../services.ts';
import { figuresOf } from './figures.ts';
import { daysOf } from './last-days.ts';
import { type DaySpan, type PaymentSum, type RefundSum, sumPayments, sumRefunds } from './sql.ts';

/** Cache time of the sums of today, yesterday and the sandbox, so that repeated requests run one query. */
const RECENT_MS = 15_000;
/** Cache time of the sums of earlier days, which late captures and refunds change. */
const EARLIER_MS = 300_000;
/** Cached days, of all merchants. */
const CACHE_MAX = 20_000;
/** Days of one statement. A day of a large merchant has a hundred thousand payments. */
const STATEMENT_DAYS_MAX = 7;
/**
 * Limit of concurrent sums, which read many rows and would otherwise take the connections that
 * lists need.
 */
const SUMS = { total: { max: 2, waiting_max: 64 }, wait_max_ms: 2_000 };

interface DaySums {
  readonly payments: readonly PaymentSum[];
  readonly refunds: readonly RefundSum[];
}

interface CachedDay {
  readonly sums: Promise<DaySums>;
  /** Milliseconds of the monotonic clock. */
  readonly until: number;
}

/**
 * Daily sums of a merchant's payments. Live days before `recentFrom` may be five minutes old. Rejects with
 * `OverloadedError` beyond the concurrency limit.
 */
export type Overview = (
  scope: Scope,
  span: DaySpan,
  recentFrom: string,
) => Promise<readonly CurrencyFigures[]>;

export function createOverview({ reads, config }: Pick<Services, 'reads' | 'config'>): Overview {
  const cachedDays = createLru<CachedDay>(CACHE_MAX);
  const limiter = createLimiter(SUMS);

  /** Sums days in slices. One slot for all of them: a long range must not wait once for each slice. */
  const sumDays = (scope: Scope, days: readonly string[], timezone: string): Promise<DaySums> =>
    limiter.run(async () => {
      const sums: { payments: PaymentSum[]; refunds: RefundSum[] } = { payments: [], refunds: [] };
      for (let start = 0; start < days.length; start += STATEMENT_DAYS_MAX) {
        const part = days.slice(start, start + STATEMENT_DAYS_MAX);
        sums.payments.push(...(await sumPayments(reads, scope, part, timezone)));
        sums.refunds.push(...(await sumRefunds(reads, scope, part, timezone)));
      }
      return sums;
    }, scope.merchant_id);

  return async (scope, { from, to, timezone }, recentFrom) => {
    const now = config.monotonic_ms();
    const keyOf = (day: string): string =>
      JSON.stringify([scope.merchant_id, scope.mode, timezone, day]);
    const cachedOf = (day: string): CachedDay | undefined => {
      const cached = cachedDays.get(keyOf(day));
      return cached && cached.until > now ? cached : undefined;
    };
    const store = (day: string, read: Promise<DaySums>): CachedDay => {
      // A sandbox reset removes payments of all days.
      const isKept = scope.mode === 'live' && day < recentFrom;
      const until = now + (isKept ? EARLIER_MS : RECENT_MS);
      const cached = { sums: read.then((sums) => sumsOn(sums, day)), until };
      cachedDays.set(keyOf(day), cached);
      cached.sums.catch(() => cachedDays.delete(keyOf(day)));
      return cached;
    };
    const days = daysOf({ from, to });
    const found = new Map(days.map((day) => [day, cachedOf(day)]));
    const missing = days.filter((day) => !found.get(day));
    if (missing.length > 0) {
      const read = sumDays(scope, missing, timezone);
      for (const day of missing) found.set(day, store(day, read));
    }
    const sums = await Promise.all([...found.values()].map((day) => day?.sums));
    return figuresOf(
      sums.flatMap((day) => day?.payments ?? []),
      sums.flatMap((day) => day?.refunds ?? []),
    );
  };
}

const sumsOn = ({ payments, refunds }: DaySums, wantedDay: string): DaySums => ({
  payments: payments.filter(({ day }) => day === wantedDay),
  refunds: refunds.filter(({ day }) => day === wantedDay),
});
