/** Wakes work loops of this process. Loops of other processes find the same work by polling. */
export interface Signal {
  raise(): void;
  /** Runs `listener` on each wake; returns a function that removes it. */
  listen(listener: () => void): () => void;
}

export function createSignal(): Signal {
  const listeners = new Set<() => void>();
  return {
    raise() {
      for (const listener of listeners) listener();
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
