import type { Fault, FaultOf } from '@florin/simulator/faults.ts';
import type { Plan } from './plan.ts';

/** The faults of a plan, until they are stopped. */
export interface NetworkFaults {
  readonly faultOf: FaultOf;
  /** How many messages something befell. */
  count(): number;
  stop(): void;
}

/** Messages of an amount have their own faults in turn, as amounts are what a plan knows of them. */
export function createNetworkFaults({ messages, inquiries }: Plan): NetworkFaults {
  const arrived = new Map<number, number>();
  const state = { count: 0, calm: false };
  const next = (amount = 0): Fault | undefined => {
    const nth = arrived.get(amount) ?? 0;
    arrived.set(amount, nth + 1);
    return amount > 0 ? messages.get(amount)?.[nth] : inquiries[nth];
  };
  return {
    faultOf({ amount }) {
      const fault = state.calm ? undefined : next(amount);
      if (fault) state.count += 1;
      return fault;
    },
    count: () => state.count,
    stop() {
      state.calm = true;
    },
  };
}
