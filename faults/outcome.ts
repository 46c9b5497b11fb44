import type { NetworkBooks } from './books.ts';
import type { Promised } from './merchant.ts';
import type { Plan } from './plan.ts';
import type { Told } from './receiver.ts';
import type { Records } from './records.ts';

/** The final state of a run. */
export interface Outcome {
  readonly plan: Plan;
  readonly promises: readonly Promised[];
  readonly records: Records;
  readonly books: NetworkBooks;
  readonly told: readonly Told[];
}

/** A stored row as text, by column. */
export type Row = Records['payments'][number];
