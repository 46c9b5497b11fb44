import type { CurrencyFigures } from '@florin/contract/overview.ts';
import type { Scope } from '../../platform/database/scope.ts';
import type { Services } from '../../services.ts';
import { createDayCache, type DaySums } from './day-cache.ts';
import { figuresOf } from './figures.ts';
import { daysOf } from './last-days.ts';
import { type DaySpan, type PaymentSum, type RefundSum, sumPayments, sumRefunds } from './sql.ts';

/** Days of one statement. A day of a large merchant has a hundred thousand payments. */
const STATEMENT_DAYS_MAX = 7;

/**
 * Daily sums of a merchant's payments. Live days before `recentFrom` may be five minutes old. Rejects with
 * `OverloadedError` beyond the concurrency limit.
 */
export type Overview = (
  scope: Scope,
  span: DaySpan,
  recentFrom: string,
) => Promise<readonly CurrencyFigures[]>;

type OverviewServices = Pick<Services, 'reads' | 'config' | 'dashboard_limiter'>;

export function createOverview(services: OverviewServices): Overview {
  const cache = createDayCache(services.config);
  const sumDays = createDaySums(services);
  return async (scope, { from, to, timezone }, recentFrom) => {
    const sums = cache.open({ scope, timezone, recentFrom });
    const days = daysOf({ from, to });
    const found = new Map(days.map((day) => [day, sums.find(day)]));
    const missing = days.filter((day) => !found.get(day));
    if (missing.length > 0) {
      const read = sumDays(scope, missing, timezone);
      for (const day of missing) found.set(day, sums.store(day, read));
    }
    const all = await Promise.all(found.values());
    return figuresOf(
      all.flatMap((day) => day?.payments ?? []),
      all.flatMap((day) => day?.refunds ?? []),
    );
  };
}

/** Sums days in slices. One slot for all of them: a long range must not wait once for each slice. */
function createDaySums({ reads, dashboard_limiter }: OverviewServices) {
  return (scope: Scope, days: readonly string[], timezone: string): Promise<DaySums> =>
    dashboard_limiter.run(async () => {
      const sums: { payments: PaymentSum[]; refunds: RefundSum[] } = { payments: [], refunds: [] };
      for (let start = 0; start < days.length; start += STATEMENT_DAYS_MAX) {
        const part = days.slice(start, start + STATEMENT_DAYS_MAX);
        sums.payments.push(...(await sumPayments(reads, scope, part, timezone)));
        sums.refunds.push(...(await sumRefunds(reads, scope, part, timezone)));
      }
      return sums;
    }, scope.merchant_id);
}
