import type { NotSent, Operation, Unknown } from './message.ts';

/** What attempts can ask of a sandbox to happen later, and how its time is made to pass. */
export interface Simulation {
  /** How many seconds after an attempt something is to happen; undefined where nothing is. */
  laterSeconds(simulate: string | undefined): number | undefined;
  /** It happens now. Safe to repeat; nothing happens twice. */
  readonly hasten: Operation<{ readonly attempt_id: string }, HastenResult>;
}

export type HastenResult = { readonly result: 'hastened' } | NotSent | Unknown;
