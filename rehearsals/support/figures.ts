/** Longest time between consecutive `times` from the last before `from` to the first after `until`. Milliseconds. */
export function longestGap(times: readonly number[], from: number, until: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  const start = sorted.findLastIndex((time) => time <= from);
  const last = sorted.findIndex((time) => time >= until);
  const relevant = sorted.slice(Math.max(start, 0), last < 0 ? undefined : last + 1);
  const gaps = relevant.slice(1).map((time, at) => time - (relevant[at] as number));
  return Math.max(0, ...gaps);
}

/** Nearest-rank percentile of numbers in any order. `share` is between 0 and 1. */
export function percentile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
