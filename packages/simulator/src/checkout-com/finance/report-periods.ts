import type { CheckoutBooks } from '../books.ts';
import { MOVEMENT_DAY_MS } from './movement-books.ts';
import { derivedId } from './owner-ids.ts';

/** Time from the end of a day to its report. */
const REPORT_DELAY_MS = 2 * 60 * 60_000;

/** Report of the movements that one payout pays. The books hold no reports: days and early payouts determine them. */
export interface Report {
  readonly id: string;
  readonly channel: string;
  readonly payoutId: string;
  /** Milliseconds since 1970: start of the period, its end, and the time of the report. */
  readonly from: number;
  readonly until: number;
  readonly createdAt: number;
  /** Type of a row that no reader of reports knows. */
  readonly unknownType: string | null;
}

type Books = Pick<CheckoutBooks, 'movements' | 'earlyPayouts'>;

/** Reports of channels, newest first, also those that are not ready yet. A period without movements has none. */
export const reportsOf = (books: Books, channels: readonly string[]): Report[] =>
  books.movements.days(channels).flatMap((day) => reportsOfDay(books, day));

/** One report for each early payout of a day, and one for the rest of the day. */
function reportsOfDay(
  books: Books,
  { channel, day }: { readonly channel: string; readonly day: number },
): Report[] {
  const [start, end] = [day * MOVEMENT_DAY_MS, (day + 1) * MOVEMENT_DAY_MS];
  const payouts = books.earlyPayouts.list(channel, start, end);
  const ends = [
    ...payouts.map(({ at, unknownType }) => ({ until: at, createdAt: at - 1, unknownType })),
    { until: end, createdAt: end + REPORT_DELAY_MS, unknownType: null },
  ];
  const periods = ends.map((each, at) => ({ ...each, from: ends[at - 1]?.until ?? start }));
  return periods
    .filter((period) => hasMovements(books, channel, period))
    .map((period) => {
      const name = period.from === start ? day : period.from;
      const id = derivedId('rpt', `${channel} ${name}`);
      return { ...period, id, channel, payoutId: id.slice(-12).toUpperCase() };
    })
    .reverse();
}

const hasMovements = (
  { movements }: Books,
  channel: string,
  { from, until }: Pick<Report, 'from' | 'until'>,
): boolean => movements.list({ channels: [channel], from, until }, 1).length > 0;
