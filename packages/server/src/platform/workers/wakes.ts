import type { Signal } from './signal.ts';

/** Work loops that a commit can wake. */
export const wakeNames = [
  'authorise',
  'resolve',
  'refund',
  'capture',
  'bill',
  'dispute',
  'balance',
  'deliver',
  'reschedule',
  'replay',
  'emails',
  'expire',
  'destroy',
  'simulate',
  'account_emails',
  'notification',
] as const;

/** Signals of the work loops, by name. */
export type Wakes = Readonly<Record<(typeof wakeNames)[number], Signal>>;

export const createWakes = (create: (name: string) => Signal): Wakes =>
  Object.fromEntries(wakeNames.map((name) => [name, create(name)])) as Wakes;
