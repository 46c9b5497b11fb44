export const RESTARTS_MAX = 5;
export const RESTART_WINDOW_MS = 60_000;

/** Returns whether another restart is allowed: at most `RESTARTS_MAX` in any `RESTART_WINDOW_MS`. */
export function createRestartBudget(): (now_ms: number) => boolean {
  let recent: number[] = [];
  return (now_ms) => {
    recent = recent.filter((at) => now_ms - at < RESTART_WINDOW_MS);
    if (recent.length >= RESTARTS_MAX) return false;
    recent.push(now_ms);
    return true;
  };
}
