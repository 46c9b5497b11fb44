import { useCallback, useMemo } from 'react';
import { useLocale } from '../../i18n/use-texts.ts';
import classes from './value.module.css';

interface Props {
  /** ISO 8601. */
  readonly at: string;
  /** Whether to show only the day. */
  readonly day?: boolean;
  /** Whether to show seconds, where people compare times with another system. */
  readonly seconds?: boolean;
}

/** An instant in the local time zone, with UTC in its title. */
export function Instant({ at, day = false, seconds = false }: Props) {
  const locale = useLocale();
  const timeStyle = day ? undefined : seconds ? 'medium' : 'short';
  const text = useMemo(
    () => formatOf(locale, timeStyle).format(new Date(at)),
    [at, timeStyle, locale],
  );
  return (
    <time dateTime={at} title={at} className={classes.instant}>
      {text}
    </time>
  );
}

/** Returns a formatter of instants for names and sentences. */
export function useInstantText(): (at: string) => string {
  const locale = useLocale();
  return useCallback((at) => formatOf(locale, 'short').format(new Date(at)), [locale]);
}

/** Day of an instant in the local time zone, as `Instant` shows it. */
export const dayText = (at: string, locale: string): string =>
  formatOf(locale, undefined).format(new Date(at));

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns a cached format, because formats are slow to create and a table has hundreds of cells. */
function formatOf(locale: string, timeStyle: 'medium' | 'short' | undefined): Intl.DateTimeFormat {
  const key = `${locale} ${timeStyle}`;
  const cachedFormat = formats.get(key);
  if (cachedFormat) return cachedFormat;
  const newFormat = new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    ...(timeStyle && { timeStyle }),
  });
  formats.set(key, newFormat);
  return newFormat;
}

/** A date without a time, the same in every time zone. */
export function CalendarDate({ date }: { readonly date: string }) {
  const locale = useLocale();
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  return (
    <time dateTime={date} title={date} className={classes.instant}>
      {format.format(new Date(`${date.slice(0, 10)}T00:00:00Z`))}
    </time>
  );
}
