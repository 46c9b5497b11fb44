import { type ProcessorTime, perOperation } from './processor-time.ts';
import type { Testbed } from './testbed.ts';

/** One benchmark: a line of the table. Measured once per round; the table shows the median. */
export interface Row {
  readonly name: string;
  readonly unit: string;
  /** Name of the benchmark to compare with. */
  readonly baseline?: string;
  /** First target and goal, each with its unit. `ratio` is to the baseline. */
  readonly target: string;
  /** Whether the benchmark opens pages in a browser. */
  readonly browser?: true;
  /** Whether this machine has all that the benchmark needs; absent: it needs nothing special. */
  readonly isInstalled?: () => boolean;
  readonly measure: (testbed: Testbed, seconds: number) => Promise<number | Measurement>;
}

/** A figure with the processor time that each operation took, in milliseconds. */
export interface Measurement {
  readonly figure: number;
  /** Payments, deliveries or subscriptions that were measured. */
  readonly operations?: number;
  /** Absent where the machine reports none. */
  readonly processor_ms?: ProcessorTime;
}

/** A figure with the number of operations, and the processor time of each. */
export const measurementOf = (
  figure: number,
  operations: number,
  used: ProcessorTime | undefined,
): Measurement => ({
  figure,
  operations,
  ...(used && { processor_ms: perOperation(used, operations) }),
});
