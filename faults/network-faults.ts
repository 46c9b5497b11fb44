import type { Fault, FaultOf } from '@florin/simulator/faults.ts';
import type { Plan } from './plan.ts';

/** Records simulated faults, and suspends them while the run is calm. */
export interface FaultRecorder {
  isCalm(): boolean;
  record(fault: Fault): void;
}

/**
 * The planned faults of messages, in turn for each amount, since a plan identifies messages by amount. A
 * restarted network starts again with the first fault.
 */
export function createNetworkFaults(
  { messageFaults, inquiryFaults }: Pick<Plan, 'messageFaults' | 'inquiryFaults'>,
  { isCalm, record }: FaultRecorder,
): FaultOf {
  const arrivalCounts = new Map<number, number>();
  const nextFault = (amount = 0): Fault | undefined => {
    const index = arrivalCounts.get(amount) ?? 0;
    arrivalCounts.set(amount, index + 1);
    return amount > 0 ? messageFaults.get(amount)?.[index] : inquiryFaults[index];
  };
  return ({ amount }) => {
    const fault = isCalm() ? undefined : nextFault(amount);
    if (fault) record(fault);
    return fault;
  };
}
