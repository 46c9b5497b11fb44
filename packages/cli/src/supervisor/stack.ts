import type { ReadyMessage } from './child-message.ts';
import { createSlot, type Service, type Slot, type SlotEvents } from './slot.ts';

/** Services started one after another and stopped in reverse order. */
export interface Stack {
  /** Rejects if the service cannot start or the stack is stopping. */
  start(service: Service): Promise<ReadyMessage>;
  /** Stops all services. Limit 0 kills them immediately. */
  stop(limit_ms?: number): Promise<void>;
}

export function createStack(events: Omit<SlotEvents, 'isStopping'>): Stack {
  const slots: Slot[] = [];
  let isStopping = false;
  return {
    async start(service) {
      if (isStopping) throw new StackStopping();
      const slot = createSlot(service, { ...events, isStopping: () => isStopping });
      slots.unshift(slot);
      const ready = await slot.start();
      if (isStopping) throw new StackStopping();
      return ready;
    },
    async stop(limit_ms) {
      isStopping = true;
      for (const slot of slots) await slot.stop(limit_ms);
    },
  };
}

/** Thrown if a stop was requested during the start. */
export class StackStopping extends Error {
  override name = 'StackStopping';
}
