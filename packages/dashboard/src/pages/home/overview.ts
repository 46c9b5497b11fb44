import type { CurrencyFigures, Figures } from '@florin/contract/overview.ts';
import { dashboardQuery, useDashboard } from '../../api/queries.ts';
import type { Scope } from '../../api/types.ts';
import type { Range, Span } from './span.ts';

interface Overview extends Span {
  /** Time zone of the days. */
  readonly timezone: string;
  readonly currencies: readonly CurrencyFigures[];
}

/**
 * Reads the overview of the range's days up to today in the business's time zone, or of the same number of days before.
 */
export const useOverview = (range: Range, when: When = 'now') =>
  useDashboard<Overview>(pathOf(range, when));

/** The overview's query, to prefetch it. */
export const overviewQuery = (scope: Scope, range: Range, when: When) =>
  dashboardQuery<Overview>(scope, pathOf(range, when));

type When = 'now' | 'before';

const pathOf = (range: Range, when: When): string =>
  `overview?days=${range}${when === 'before' ? '&before=1' : ''}`;

export const nothing: Figures = {
  approved: 0,
  declined: 0,
  volume_cents: '0',
  refunds: 0,
  refunded_cents: '0',
};

/** Share of payments with an outcome that were approved, 0 to 1; undefined without any. */
export const successOf = ({ approved, declined }: Figures): number | undefined =>
  approved + declined === 0 ? undefined : approved / (approved + declined);

/** Relative growth, 0.1 for ten percent; undefined if there was nothing before. */
export const growthOf = (now: number, before: number): number | undefined =>
  before === 0 ? undefined : (now - before) / before;
