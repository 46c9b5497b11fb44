import { useMemo } from 'react';
import { useLocale } from '../../i18n/use-texts.ts';
import classes from './value.module.css';

interface Props {
  /** ISO 8601. */
  readonly at: string;
  /** Whether to show only the day. */
  readonly day?: boolean;
}

/** An instant in the local time zone, with UTC in its title. */
export function Instant({ at, day }: Props) {
  const locale = useLocale();
  const text = useMemo(
    () => formatOf(locale, day ?? false).format(new Date(at)),
    [at, day, locale],
  );
  return (
    <time dateTime={at} title={at} className={classes.instant}>
      {text}
    </time>
  );
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns a cached format, because formats are slow to create and a table has hundreds of cells. */
function formatOf(locale: string, day: boolean): Intl.DateTimeFormat {
  const key = `${locale} ${day}`;
  const cachedFormat = formats.get(key);
  if (cachedFormat) return cachedFormat;
  const time = day ? {} : { timeStyle: 'short' as const };
  const newFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', ...time });
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
