import type { Fault } from './faults.ts';

/** How long the network says of a late approval that it is not decided yet. */
export const LATE_APPROVAL_SECONDS = 65;
/** How many days after an approval a dispute of it can be asked for. */
const DISPUTE_DAYS_MAX = 365;
const DAY_SECONDS = 24 * 60 * 60;

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

/** What an approval asks for that comes later: to be told of, or to be disputed. */
export type Later = 'told' | 'disputed';

/** What is to happen after an approval, and how many seconds after it. */
export function laterOf({ simulate = '' }: Simulating): [Later, number] | undefined {
  if (simulate === 'late_approval') return ['told', LATE_APPROVAL_SECONDS];
  const days = /^dispute_after:(\d{1,3})$/.exec(simulate)?.[1];
  const isDispute = days !== undefined && Number(days) <= DISPUTE_DAYS_MAX;
  return isDispute ? ['disputed', Number(days) * DAY_SECONDS] : undefined;
}
