import type { Clock, Micros } from '../time/clock.ts';

/** How a work loop of this process is. */
export interface Pulse {
  readonly loop: string;
  /** How often it looks for work without being woken. */
  readonly poll_ms: number;
  readonly started_at: Micros;
  /** When it finished a step last. */
  readonly stepped_at?: Micros;
  /** Why a step failed last, and when; gone with the next one that succeeds. */
  readonly error?: string;
  readonly error_at?: Micros;
}

/** What one loop tells of itself. */
export interface Beating {
  stepped(): void;
  failed(message: string): void;
}

/** The pulses of the work loops of this process, by their names. */
export interface Pulses {
  begin(loop: string, poll_ms: number): Beating;
  all(): readonly Pulse[];
}

export function createPulses({ now }: Clock): Pulses {
  const known = new Map<string, Pulse>();
  return {
    begin(loop, poll_ms) {
      const begun: Pulse = { loop, poll_ms, started_at: now() };
      known.set(loop, begun);
      return {
        stepped: () => void known.set(loop, { ...begun, stepped_at: now() }),
        failed(error) {
          known.set(loop, { ...(known.get(loop) ?? begun), error, error_at: now() });
        },
      };
    },
    all: () => [...known.values()],
  };
}
