import type { Ready } from './child-message.ts';
import { createSlot, type Service, type Slot, type SlotEvents } from './slot.ts';

/** Services that are started one after the other and stopped in the opposite order. */
export interface Stack {
  /** Rejects where the service cannot start, or where the stack is stopping. */
  start(service: Service): Promise<Ready>;
  /** Stops all; with limit 0 it ends them at once. */
  stop(limit_ms?: number): Promise<void>;
}

export function createStack(events: SlotEvents): Stack {
  const slots: Slot[] = [];
  let stopping = false;
  return {
    async start(service) {
      if (stopping) throw new StackStopping();
      const slot = createSlot(service, events);
      slots.unshift(slot);
      const ready = await slot.start();
      if (stopping) throw new StackStopping();
      return ready;
    },
    async stop(limit_ms) {
      stopping = true;
      for (const slot of slots) await slot.stop(limit_ms);
    },
  };
}

/** Someone asked to stop while the stack was starting. */
export class StackStopping extends Error {
  override name = 'StackStopping';
}
