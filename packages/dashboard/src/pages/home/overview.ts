import type { CurrencyFigures, Figures } from '@florin/contract/overview.ts';
import { dashboardQuery, useDashboard } from '../../api/queries.ts';
import type { Scope } from '../../api/types.ts';
import type { Range, Span } from './span.ts';

interface Overview extends Span {
  /** In which the days are days. */
  readonly timezone: string;
  readonly currencies: readonly CurrencyFigures[];
}

/** Of the last days, as many as the range has, today where the business is with them; or of as many days before those. */
export const useOverview = (range: Range, when: When = 'now') =>
  useDashboard<Overview>(pathOf(range, when));

/** How that is read before the page is there. */
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

/** The part of payments with an outcome that was approved, 0 to 1; undefined without any. */
export const successOf = ({ approved, declined }: Figures): number | undefined =>
  approved + declined === 0 ? undefined : approved / (approved + declined);

/** By how much a number has grown, 0.1 for a tenth; undefined where there was nothing before. */
export const growthOf = (now: number, before: number): number | undefined =>
  before === 0 ? undefined : (now - before) / before;
