import { parsePayments } from '../options.ts';

/** Reads sizes such as "10000,1000000" in ascending order. Throws an error if one is no number of payments. */
export function parseSizes(text: string, option: string): readonly number[] {
  const sizes = text
    .split(',')
    .map((part) => parsePayments(part.trim().replaceAll('_', ''), `Each number of ${option}`));
  return [...new Set(sizes)].sort((a, b) => a - b);
}
