import { sizeText, unitText } from '../../i18n/format-text.ts';

/** Units of a duration in seconds, largest first. */
export const durationUnits = { day: 86_400, hour: 3_600, minute: 60, second: 1 } as const;
export type DurationUnit = keyof typeof durationUnits;

const allUnits = Object.entries(durationUnits) as [DurationUnit, number][];
const SECOND_MS = 1_000;

/** Returns the text of a number whose field names its unit: `window_seconds`, `size_bytes`. Undefined for others. */
export function quantityText(name: string, value: number, locale: string): string | undefined {
  if (name.endsWith('_seconds')) return durationText(value, locale);
  if (name.endsWith('_ms')) return elapsedText(value, locale);
  if (name.endsWith('_bytes')) return sizeText(value, locale);
  if (name.endsWith('_percentage'))
    return new Intl.NumberFormat(locale, { style: 'percent' }).format(value / 100);
  return undefined;
}

/** A duration in words: `1 hour, 30 minutes`. */
export function durationText(seconds: number, locale: string): string {
  let rest = Math.abs(seconds);
  const parts = allUnits.flatMap(([unit, length]) => {
    const count = Math.floor(rest / length);
    rest -= count * length;
    return count > 0 ? [countText(count, unit, locale)] : [];
  });
  const text = new Intl.ListFormat(locale, { type: 'unit' }).format(parts);
  if (text === '') return countText(0, 'second', locale);
  return seconds < 0 ? `−${text}` : text;
}

/** Largest unit that a duration is a whole number of. */
export const unitOf = (seconds: number): DurationUnit =>
  allUnits.find(([, length]) => seconds >= length && seconds % length === 0)?.[0] ?? 'second';

const countText = (count: number, unit: DurationUnit, locale: string): string =>
  new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count);

/** Time that a request took, in milliseconds below a second. */
export const elapsedText = (ms: number, locale: string): string =>
  ms < SECOND_MS ? unitText(ms, 'millisecond', locale) : unitText(ms / SECOND_MS, 'second', locale);
