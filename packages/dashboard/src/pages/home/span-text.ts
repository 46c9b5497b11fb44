import { useLocale } from '../../i18n/use-texts.ts';
import type { Span } from './span.ts';

/** Returns a formatter of days, such as "Mar 1 – 7, 2027". */
export function useSpanText(): (span: Span) => string {
  const format = new Intl.DateTimeFormat(useLocale(), { dateStyle: 'medium', timeZone: 'UTC' });
  return ({ from, to }) => format.formatRange(new Date(from), new Date(to));
}
