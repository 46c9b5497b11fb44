/** What a clock waits for before it goes on, and for how long: at one stop, and at all stops of its way together. */
const LIMITS_MS = {
  /** Longer than a processor may take to answer. */
  work: { stop: 45_000, way: 180_000 },
  /** Longer than an endpoint may take; one that hangs at each try is not waited for at every one. */
  deliveries: { stop: 12_000, way: 30_000 },
} as const;

/** For this long each stop waits in any case. */
const LEAST_MS = 500;

/** How much longer a clock waits for what is under way. */
export interface Patience {
  has(what: keyof typeof LIMITS_MS): boolean;
  /** The clock goes on: the next stop has its own time. */
  rest(): void;
}

export function createPatience(monotonic_ms: () => number): Patience {
  const spent = { work: 0, deliveries: 0 };
  let waiting: { readonly since: number; readonly what: keyof typeof LIMITS_MS } | undefined;
  const end = (): void => {
    if (waiting) spent[waiting.what] += monotonic_ms() - waiting.since;
    waiting = undefined;
  };
  return {
    has(what) {
      if (waiting?.what !== what) end();
      waiting ??= { since: monotonic_ms(), what };
      const waited = monotonic_ms() - waiting.since;
      const left = Math.max(LEAST_MS, LIMITS_MS[what].way - spent[what]);
      return waited < Math.min(LIMITS_MS[what].stop, left);
    },
    rest: end,
  };
}
