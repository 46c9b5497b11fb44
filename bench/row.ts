import type { ProcessorTime } from './processor-time.ts';
import type { Testbed } from './testbed.ts';

/** One benchmark: a line of the table. Measured once per round; the table shows the median. */
export interface Row {
  readonly name: string;
  readonly unit: string;
  /** Name of the benchmark to compare with; `target` and goal then apply to the ratio. */
  readonly baseline?: string;
  readonly target: string;
  /** Whether the benchmark opens pages in a browser. */
  readonly browser?: true;
  /** Whether this machine has the program that the benchmark runs; absent: needs none. */
  readonly isInstalled?: () => boolean;
  readonly measure: (testbed: Testbed, seconds: number) => Promise<number | Measurement>;
}

/** A figure with the processor time that each payment took, in milliseconds. */
export interface Measurement {
  readonly figure: number;
  /** Absent where the machine does not tell. */
  readonly processor_ms?: ProcessorTime;
}
