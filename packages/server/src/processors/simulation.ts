import type { NotSent, ProcessorOperation, Unknown } from './message.ts';

/** Simulated events after attempts, and how the sandbox triggers them. */
export interface Simulation {
  /** Seconds from an attempt to its simulated event; undefined without one. */
  laterSeconds(simulate: string | undefined): number | undefined;
  /** Triggers the event now. Safe to repeat; nothing happens twice. */
  readonly triggerEffect: ProcessorOperation<{ readonly attempt_id: string }, HastenResult>;
}

export type HastenResult = { readonly result: 'hastened' } | NotSent | Unknown;
