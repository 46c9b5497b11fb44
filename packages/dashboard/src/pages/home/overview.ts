import { useDashboard } from '../../api/queries.ts';
import type { Range, Span } from './span.ts';

/** Counts and sums; amounts are minor units as text, for sums may be larger than a number. */
export interface Figures {
  readonly approved: number;
  readonly declined: number;
  readonly volume_cents: string;
  readonly refunds: number;
  readonly refunded_cents: string;
}

/** What a business took in one currency. */
export interface CurrencyFigures extends Figures {
  readonly currency: string;
  readonly days: readonly (Figures & { readonly day: string })[];
  readonly declines: readonly { readonly code: string; readonly count: number }[];
}

interface Overview extends Span {
  /** In which the days are days. */
  readonly timezone: string;
  readonly currencies: readonly CurrencyFigures[];
}

/** Of the last days, as many as the range has, today where the business is with them; or of as many days before those. */
export const useOverview = (range: Range, when: 'now' | 'before' = 'now') =>
  useDashboard<Overview>(`overview?days=${range}${when === 'before' ? '&before=1' : ''}`);

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
