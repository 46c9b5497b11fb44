/**
 * Position of a listener in the event log.
 *
 * The log is ordered by `recorded_at` and id, not by commit: an older event may become visible after a newer one.
 * Therefore each round reads the last `OVERLAP_MS` again and skips events that were already seen.
 */
export interface Position {
  /** `recorded_at` of the newest event seen. */
  through: string;
  /** `recorded_at` by id of events seen within `OVERLAP_MS` before `through`, and of some older ones. */
  readonly seen: Map<string, string>;
}

/** Sort key of the log. */
export interface EventKey {
  readonly id: string;
  readonly recorded_at: string;
}

/** Overlap of two rounds in milliseconds. Longer than any transaction of Florin, including its waits and retries. */
export const OVERLAP_MS = 60_000;
/** Number of expired entries that may collect before they are pruned. */
const EXPIRED_MAX = 1_000;

/** Position after an instant, before any event was seen. */
export const positionAt = (through: string): Position => ({ through, seen: new Map() });

const pruneBefore = ({ through }: Position): number => Date.parse(through) - OVERLAP_MS;

/** First instant to read from. */
export const readFrom = (position: Position): string =>
  new Date(Math.max(pruneBefore(position), 0)).toISOString();

/** Records an event as seen. */
export function markSeen(position: Position, { id, recorded_at }: EventKey): void {
  position.seen.set(id, recorded_at);
  if (recorded_at > position.through) position.through = recorded_at;
  if (position.seen.size % EXPIRED_MAX === 0) pruneSeen(position);
}

/** Prunes entries older than the range that is read again. */
export function pruneSeen(position: Position): void {
  const horizon = pruneBefore(position);
  for (const [id, recorded_at] of position.seen) {
    if (Date.parse(recorded_at) < horizon) position.seen.delete(id);
  }
}
