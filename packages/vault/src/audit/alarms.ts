import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/logger.ts';

/** At this count per minute, someone probably tries keys or changes records. */
export const UNREADABLE_MAX = 10;
const WINDOW_MS = 60_000;

export type UnreadableEvent =
  | 'record_unreadable'
  | 'sealed_card_unreadable'
  | 'wallet_token_unreadable'
  | 'network_token_unreadable';

/** Reports bursts of suspicious events. */
export interface Alarms {
  /** Counts an event. Logs a warning at most once a minute. */
  countUnreadable(kind: UnreadableEvent): void;
}

interface Window {
  since: number;
  count: number;
}

export function createAlarms({ clock, log }: { clock: Clock; log: Log }): Alarms {
  const windows = new Map<UnreadableEvent, Window>();
  return {
    countUnreadable(kind) {
      const now = clock();
      const openWindow = windows.get(kind);
      const window =
        openWindow && now - openWindow.since < WINDOW_MS ? openWindow : { since: now, count: 0 };
      windows.set(kind, window);
      window.count += 1;
      if (window.count === UNREADABLE_MAX)
        log({ event: 'unreadable_burst', what: kind, count: window.count });
    },
  };
}
