/**
 * Position of a listener in the event log.
 *
 * The log is ordered by `recorded_at` and id, which is not the order of commits: an older event may become visible
 * after a newer one. So the last stretch is read again each time, and events already seen are skipped.
 */
export interface Position {
  /** `recorded_at` of the newest event seen. */
  through: string;
  /** Events seen since `OVERLAP_MS` before that, and possibly older ones: `recorded_at` by id. */
  readonly seen: Map<string, string>;
}

/** Sort key of the log. */
export interface EventKey {
  readonly id: string;
  readonly recorded_at: string;
}

/** Longer than any transaction of Florin with all its waits and retries. */
export const OVERLAP_MS = 60_000;
/** Number of older entries to keep before they are pruned. */
const SPARE = 1_000;

/** Position after an instant, with no events seen before it. */
export const positionAt = (through: string): Position => ({ through, seen: new Map() });

const horizonOf = ({ through }: Position): number => Date.parse(through) - OVERLAP_MS;

/** First instant to read from. */
export const readFrom = (position: Position): string =>
  new Date(Math.max(horizonOf(position), 0)).toISOString();

/** Records an event as seen. */
export function note(position: Position, { id, recorded_at }: EventKey): void {
  position.seen.set(id, recorded_at);
  if (recorded_at > position.through) position.through = recorded_at;
  if (position.seen.size % SPARE === 0) pruneSeen(position);
}

/** Prunes entries that will not be read again. */
export function pruneSeen(position: Position): void {
  const horizon = horizonOf(position);
  for (const [id, recorded_at] of position.seen) {
    if (Date.parse(recorded_at) < horizon) position.seen.delete(id);
  }
}
