import type { CurrencyFigures, Figures } from '@florin/contract/overview.ts';
import { dashboardQuery, useDashboard } from '../../api/queries.ts';
import type { Scope } from '../../api/types.ts';
import type { Range, Span } from './span.ts';

interface Overview extends Span {
  /** Time zone in which the days begin. */
  readonly timezone: string;
  readonly currencies: readonly CurrencyFigures[];
}

/**
 * Reads the overview of a range that ends today in the merchant's time zone, or of the previous range of the same
 * length.
 */
export const useOverview = (range: Range, when: ComparedPeriod = 'now') =>
  useDashboard<Overview>(pathOf(range, when));

/** Query of the overview, for prefetching. */
export const overviewQuery = (scope: Scope, range: Range, when: ComparedPeriod) =>
  dashboardQuery<Overview>(scope, pathOf(range, when));

type ComparedPeriod = 'now' | 'before';

const pathOf = (range: Range, when: ComparedPeriod): string =>
  `overview?days=${range}${when === 'before' ? '&before=1' : ''}`;

export const emptyFigures: Figures = {
  approved: 0,
  declined: 0,
  volume_cents: '0',
  refunds: 0,
  refunded_cents: '0',
};

/** Share of approved payments among those with an outcome, 0 to 1. Undefined if no payment has an outcome. */
export const successOf = ({ approved, declined }: Figures): number | undefined =>
  approved + declined === 0 ? undefined : approved / (approved + declined);

/** Relative growth: 0.1 means ten percent. Undefined if the previous value is 0. */
export const growthOf = (now: number, before: number): number | undefined =>
  before === 0 ? undefined : (now - before) / before;
