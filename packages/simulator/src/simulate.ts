import type { Fault } from './faults.ts';

const faults: ReadonlyMap<string, Fault> = new Map([
  ['slow', 'delay:3000'],
  ['lost_answer', 'lose_answer'],
  ['late_approval', 'lose_answer'],
  ['duplicate_answer', 'duplicate_at_once'],
  ['connection_reset', 'reset'],
  ['garbage', 'garbage'],
] as const);

interface Simulating {
  readonly simulate?: string;
}

/** What befalls a message on its way because it asks for that. */
export const faultAskedFor = ({ simulate = '' }: Simulating): Fault | undefined =>
  faults.get(simulate);

/** Minor units that are approved of an amount: half of it, where that is asked for. */
export const approvedOf = ({ simulate, amount }: Simulating & { readonly amount: number }) =>
  simulate === 'partial_approval' ? Math.floor(amount / 2) : amount;
