import { delayOfSimulation, type SimulationName } from '@florin/contract/simulate.ts';
import type { Fault } from './faults.ts';

const faultBySimulation: ReadonlyMap<string, Fault> = new Map<SimulationName, Fault>([
  ['lost_answer', 'lose_answer'],
  ['late_approval', 'lose_answer'],
  ['duplicate_answer', 'duplicate_at_once'],
  ['connection_reset', 'reset'],
  ['garbage', 'garbage'],
]);

interface SimulationInput {
  readonly simulate?: string;
}

/** Simulated fault that a message's `simulate` requests. */
export function requestedFault({ simulate = '' }: SimulationInput): Fault | undefined {
  const delay_ms = delayOfSimulation(simulate);
  return delay_ms === undefined ? faultBySimulation.get(simulate) : `delay:${delay_ms}`;
}

/** Approved amount in minor units: half of the requested amount for `partial_approval`. */
export const approvedAmountOf = ({
  simulate,
  amount,
}: SimulationInput & { readonly amount: number }) =>
  simulate === 'partial_approval' ? Math.floor(amount / 2) : amount;
