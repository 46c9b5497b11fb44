export const RESTARTS_MAX = 5;
export const RESTART_WINDOW_MS = 60_000;

/** Returns whether another restart is allowed: at most `RESTARTS_MAX` in any `RESTART_WINDOW_MS`. */
export function createRestartBudget(): (now_ms: number) => boolean {
  let recentRestarts: number[] = [];
  return (now_ms) => {
    recentRestarts = recentRestarts.filter((at) => now_ms - at < RESTART_WINDOW_MS);
    if (recentRestarts.length >= RESTARTS_MAX) return false;
    recentRestarts.push(now_ms);
    return true;
  };
}
