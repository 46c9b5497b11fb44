interface ClockTimes {
  readonly from_at: string | null;
  readonly reached_at: string | null;
  readonly target_at: string | null;
}

export const PERCENT = 100;

/** Progress of an advancing clock in whole percent. */
export function progressOf({ from_at, reached_at, target_at }: ClockTimes): number {
  const [from, reached, target] = [from_at, reached_at, target_at].map((at) =>
    Date.parse(at ?? ''),
  );
  const share = ((reached ?? 0) - (from ?? 0)) / ((target ?? 0) - (from ?? 0));
  return Number.isFinite(share) ? Math.round(Math.min(Math.max(share, 0), 1) * PERCENT) : 0;
}
