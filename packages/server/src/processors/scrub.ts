import { maskCards } from '@florin/contract/card/scan.ts';

/** Digits that may be kept of a long number: the first six and the last four. */
const LONG_NUMBER = /(\d{6})\d+(\d{4})/g;

const scrubText = (text: string): string => maskCards(text).replace(LONG_NUMBER, '$1…$2');

/** A copy of parsed JSON in which no text, number or key holds more than ten digits in a row. */
export function scrub(value: unknown): unknown {
  if (typeof value === 'string') return scrubText(value);
  if (typeof value === 'number') {
    const text = String(value);
    const scrubbed = scrubText(text);
    return scrubbed === text ? value : scrubbed;
  }
  if (Array.isArray(value)) return value.map(scrub);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [scrubText(key), scrub(member)]),
  );
}
