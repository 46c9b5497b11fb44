import type { Fault, FaultOf } from '@florin/simulator/faults.ts';
import type { Plan } from './plan.ts';

/** Records simulated faults, and suspends them while the run is calm. */
export interface Watch {
  isCalm(): boolean;
  note(fault: Fault): void;
}

/**
 * The planned faults of messages, in turn for each amount, since a plan identifies messages by amount. A
 * restarted network starts again with the first fault.
 */
export function createNetworkFaults(
  { messages, inquiries }: Pick<Plan, 'messages' | 'inquiries'>,
  { isCalm, note }: Watch,
): FaultOf {
  const arrived = new Map<number, number>();
  const next = (amount = 0): Fault | undefined => {
    const nth = arrived.get(amount) ?? 0;
    arrived.set(amount, nth + 1);
    return amount > 0 ? messages.get(amount)?.[nth] : inquiries[nth];
  };
  return ({ amount }) => {
    const fault = isCalm() ? undefined : next(amount);
    if (fault) note(fault);
    return fault;
  };
}
