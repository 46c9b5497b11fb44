import type { NetworkLedger } from './books.ts';
import type { Plan } from './plan.ts';
import type { Records } from './records.ts';
import type { AcceptedWrite } from './scenarios/merchant.ts';
import type { ReceivedEvent } from './scenarios/receiver.ts';

/** The final state of a run. */
export interface Outcome {
  readonly plan: Plan;
  readonly acceptedWrites: readonly AcceptedWrite[];
  readonly records: Records;
  readonly networkLedger: NetworkLedger;
  readonly receivedEvents: readonly ReceivedEvent[];
}

/** A stored row as text by column. */
export type Row = Records['payments'][number];
