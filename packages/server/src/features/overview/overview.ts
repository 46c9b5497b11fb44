import { createLru } from '@florin/contract/lru.ts';
import type { CurrencyFigures } from '@florin/contract/overview.ts';
import { createLimiter } from '../../platform/concurrency/limiter.ts';
import type { Scope } from '../../platform/database/scope.ts';
import type { Services } from '../../services.ts';
import { figuresOf } from './figures.ts';
import { daysOf } from './last-days.ts';
import { type DaySpan, type PaymentSum, type RefundSum, sumPayments, sumRefunds } from './sql.ts';

/** Cache time of the sums of today and yesterday, so that repeated requests run one query. */
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
 * Daily sums of a merchant's payments. Days before `recentFrom` may be five minutes old. Rejects with
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

  const sumDays = async (scope: Scope, days: readonly string[], timezone: string) => {
    const run = <T>(sum: () => Promise<T>) => limiter.run(sum, scope.merchant_id);
    const payments = await run(() => sumPayments(reads, scope, days, timezone));
    const refunds = await run(() => sumRefunds(reads, scope, days, timezone));
    return { payments, refunds };
  };

  return async (scope, { from, to, timezone }, recentFrom) => {
    const now = config.monotonic_ms();
    const keyOf = (day: string): string =>
      JSON.stringify([scope.merchant_id, scope.mode, timezone, day]);
    const cachedOf = (day: string): CachedDay | undefined => {
      const cached = cachedDays.get(keyOf(day));
      return cached && cached.until > now ? cached : undefined;
    };
    const store = (day: string, read: Promise<DaySums>): CachedDay => {
      const until = now + (day < recentFrom ? EARLIER_MS : RECENT_MS);
      const cached = { sums: read.then((sums) => sumsOn(sums, day)), until };
      cachedDays.set(keyOf(day), cached);
      cached.sums.catch(() => cachedDays.delete(keyOf(day)));
      return cached;
    };
    const days = daysOf({ from, to });
    const found = new Map(days.map((day) => [day, cachedOf(day)]));
    const missing = days.filter((day) => !found.get(day));
    let previous: Promise<unknown> = Promise.resolve();
    for (let start = 0; start < missing.length; start += STATEMENT_DAYS_MAX) {
      const part = missing.slice(start, start + STATEMENT_DAYS_MAX);
      // One after the other, so that a long range waits for one slot at a time.
      const read = previous.then(() => sumDays(scope, part, timezone));
      previous = read;
      for (const day of part) found.set(day, store(day, read));
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
