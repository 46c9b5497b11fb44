import type { Fault, FaultOf } from '@florin/simulator/faults.ts';
import type { Plan } from './plan.ts';

/** Whom faults are told to, and who can hold them off. */
export interface Watch {
  isCalm(): boolean;
  note(fault: Fault): void;
}

/**
 * The faults of a plan. Messages of an amount have their own in turn, as amounts are what a plan knows of them; a
 * network that was started again begins anew with them.
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
