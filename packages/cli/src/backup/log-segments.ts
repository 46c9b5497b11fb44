/** Name of a file of PostgreSQL's log: timeline, then the number of the segment, in hexadecimal digits. */
const SEGMENT = /^([0-9A-F]{8})([0-9A-F]{8})([0-9A-F]{8})$/;
/** Segments of 16 MB per "log" of 4 GB. */
const SEGMENTS_PER_LOG = 256n;
const RADIX = 16;
const PART_DIGITS = 8;

export const isSegment = (name: string): boolean => SEGMENT.test(name);

/** Returns the segment `distance` after this one, on the same timeline. */
export function segmentAfter(name: string, distance = 1): string {
  const [, timeline = '', log = '0', segment = '0'] = SEGMENT.exec(name) ?? [];
  const number = BigInt(`0x${log}`) * SEGMENTS_PER_LOG + BigInt(`0x${segment}`) + BigInt(distance);
  const digits = (value: bigint) => value.toString(RADIX).toUpperCase().padStart(PART_DIGITS, '0');
  return timeline + digits(number / SEGMENTS_PER_LOG) + digits(number % SEGMENTS_PER_LOG);
}

/** Follows the segments from `first` on. A gap ends the chain. */
export function chainFrom(first: string, names: Iterable<string>): string[] {
  const existing = new Set(names);
  const chain: string[] = [];
  for (let next = first; existing.has(next); next = segmentAfter(next)) chain.push(next);
  return chain;
}

/** First absent segment of each gap between `first` and `last`. */
export function gapsBetween(first: string, last: string, names: Iterable<string>): string[] {
  const existing = new Set(names);
  const gaps: string[] = [];
  for (let name = first; name <= last; name = segmentAfter(name))
    if (!existing.has(name) && (name === first || existing.has(segmentAfter(name, -1))))
      gaps.push(name);
  return gaps;
}
