import type { NotSentResult, ProcessorOperation, UnknownResult } from './message.ts';

/** Simulated events after an attempt, and the message that triggers them. */
export interface Simulation {
  /** Seconds from an attempt to its simulated event; undefined without an event. */
  effectDelaySeconds(simulate: string | undefined): number | undefined;
  /** Triggers the event now. Safe to repeat: the event happens once. */
  readonly triggerEffect: ProcessorOperation<{ readonly attempt_id: string }, TriggerResult>;
}

export type TriggerResult = { readonly result: 'triggered' } | NotSentResult | UnknownResult;
