import type { Locale } from '@florin/contract/locales.ts';
import { createLru } from '@florin/contract/lru.ts';
import { amountFormat } from '@florin/contract/money.ts';
import { microsOf } from '../time/clock.ts';

/** Formats amounts and dates in a locale. */
export interface Format {
  amount(minor_units: string | number, currency: string): string;
  date(instant: string): string;
  /** First and last day of a period. */
  period(from: string, until: string): string;
  /** Expiry as cards show it: `12/2031`. */
  expiry(month: string, year: string): string;
}

/** Creates formatters of a locale and time zone (IANA name). An unknown zone becomes UTC. */
export function createFormat(locale: Locale, timezone: string): Format {
  const days = dayFormats.getOrCreate(`${locale} ${timezone}`, () =>
    createDayFormat(locale, timezone),
  );
  return {
    amount(minor_units, currency) {
      const formatAmount = amountFormats.getOrCreate(`${locale} ${currency}`, () =>
        amountFormat(currency, locale),
      );
      return formatAmount(String(minor_units));
    },
    date: (instant) => days.format(dateOf(instant)),
    period: (from, until) => days.formatRange(dateOf(from), dateOf(until)),
    expiry: (month, year) => `${month.padStart(2, '0')}/${year}`,
  };
}

/** Number of cached formatters. A formatter costs more to create than the rest of an email. */
const CACHE_MAX = 500;
const dayFormats = createLru<Intl.DateTimeFormat>(CACHE_MAX);
const amountFormats = createLru<(minor_units: string) => string>(CACHE_MAX);

const dateOf = (instant: string): Date => new Date(Math.floor(microsOf(instant) / 1000));

function createDayFormat(locale: Locale, timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone });
  } catch {
    return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  }
}
