/**
 * How far a listener has read the log of events.
 *
 * The order of the log, by `recorded_at` and then id, is that in which events were thought of, and not that in which
 * they were committed: one may become visible after another that is younger. Who goes on behind the youngest that was
 * seen would skip it. So the last stretch is read again each time, and what was seen there is left out.
 */
export interface Position {
  /** `recorded_at` of the youngest event that was seen. */
  through: string;
  /** What was seen since `OVERLAP_MS` before that, and perhaps more: `recorded_at` by id. */
  readonly seen: Map<string, string>;
}

/** What the log is ordered by. */
export interface Place {
  readonly id: string;
  readonly recorded_at: string;
}

/** Longer than any transaction of Florin may take, with all its waits and repetitions. */
export const OVERLAP_MS = 60_000;
/** How many may be kept that are older, before they are cleared away. */
const SPARE = 1_000;

/** Behind an instant, with nothing seen of the stretch before it. */
export const positionAt = (through: string): Position => ({ through, seen: new Map() });

const horizonOf = ({ through }: Position): number => Date.parse(through) - OVERLAP_MS;

/** From which time on to read. */
export const readFrom = (position: Position): string =>
  new Date(Math.max(horizonOf(position), 0)).toISOString();

/** Notes that an event has been seen. */
export function note(position: Position, { id, recorded_at }: Place): void {
  position.seen.set(id, recorded_at);
  if (recorded_at > position.through) position.through = recorded_at;
  if (position.seen.size % SPARE === 0) forgetOld(position);
}

/** Clears away what is not read again. */
export function forgetOld(position: Position): void {
  const horizon = horizonOf(position);
  for (const [id, recorded_at] of position.seen) {
    if (Date.parse(recorded_at) < horizon) position.seen.delete(id);
  }
}
