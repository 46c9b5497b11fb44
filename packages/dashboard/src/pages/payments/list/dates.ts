import type { Parameters } from '../../../api/queries.ts';
import { addDays, type Span } from '../../home/span.ts';
import { dayOf, fromDay, untilDay } from './days.ts';

/** Periods that move with the day, so that a stored address stays right. */
export const datePresets = ['today', 'last_7', 'last_30', 'this_month', 'last_month'] as const;
export type DatePreset = (typeof datePresets)[number];

/** Query parameters of a chosen period. */
export const PRESET = 'date';
export const FROM = 'filter[created_at][gte]';
export const BEFORE = 'filter[created_at][lt]';

const DAY_MS = 86_400_000;

const firstOfMonth = (day: string): string => `${day.slice(0, 8)}01`;

/** Returns the days of a preset, both ends included. `today` is a day such as `2027-01-31`. */
export function spanOfPreset(preset: DatePreset, today: string): Span {
  const lastMonthEnd = addDays(firstOfMonth(today), -1);
  switch (preset) {
    case 'today':
      return { from: today, to: today };
    case 'last_7':
      return { from: addDays(today, -6), to: today };
    case 'last_30':
      return { from: addDays(today, -29), to: today };
    case 'this_month':
      return { from: firstOfMonth(today), to: today };
    default:
      return { from: firstOfMonth(lastMonthEnd), to: lastMonthEnd };
  }
}

/** Returns the number of days of a span, both ends included. */
const dayCountOf = ({ from, to }: Span): number => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;

/** Returns as many days directly before a span. */
export function spanBefore(span: Span): Span {
  const { from } = span;
  const days = dayCountOf(span);
  return { from: addDays(from, -days), to: addDays(from, -1) };
}

/** Returns the preset of an address. */
export const presetOf = ({ [PRESET]: preset }: Parameters): DatePreset | undefined =>
  datePresets.find((it) => it === preset);

/** Returns the days that an address filters by; undefined if it leaves an end open. */
export function spanOf(search: Parameters, today: string): Span | undefined {
  const preset = presetOf(search);
  if (preset) return spanOfPreset(preset, today);
  const [from, to] = [dayOf(search[FROM]), dayOf(search[BEFORE], -1)];
  return from && to && from <= to ? { from, to } : undefined;
}

/** Returns the list's parameters of a preset in the browser's time zone. */
export function presetParameters(search: Parameters, today: string): Parameters {
  const preset = presetOf(search);
  if (!preset) return {};
  const { from, to } = spanOfPreset(preset, today);
  return { [FROM]: fromDay(from), [BEFORE]: untilDay(to) };
}
