import { median } from '../table.ts';

/** Resident memory by process in MB, at the end of each minute. */
export type Minutes = readonly Readonly<Record<string, number>>[];

/** Memory of one process in the middle and at the end of a run. */
export interface Trend {
  readonly process: string;
  /** Median of the second quarter of the run, in MB. By then, caches are full and code is compiled. */
  readonly before: number;
  /** Median of the last quarter, in MB. */
  readonly after: number;
  /** Share of `before` by which memory has grown: 0.05 is 5 %, negative if it has shrunk. */
  readonly growth: number;
}

const QUARTERS = 4;

/** Shortest run that is judged: in one of 20 minutes, the simulated network still grew by 8 % to its final size. */
export const JUDGED_MINUTES_MIN = 60;

/** Compares the last quarter of a run with its second quarter, for each process of the first minute. */
export function trendsOf(minutes: Minutes): readonly Trend[] {
  const quarter = Math.floor(minutes.length / QUARTERS);
  return Object.keys(minutes[0] ?? {}).map((process) => {
    const of = (from: number): number =>
      median(minutes.slice(from, from + quarter).map((memory) => memory[process] ?? Number.NaN));
    const before = of(quarter);
    const after = of(minutes.length - quarter);
    return { process, before, after, growth: after / before - 1 };
  });
}
