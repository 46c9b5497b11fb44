import type { Fault, FaultOf } from '@florin/simulator/faults.ts';
import type { Plan } from './plan.ts';

/** Reports and suspends simulated faults. */
export interface Watch {
  isCalm(): boolean;
  note(fault: Fault): void;
}

/**
 * The simulated faults of a plan, in turn for the messages of each amount: a plan knows only amounts. A restarted
 * network begins again with them.
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
