import type { Commit } from '../group-commit.ts';
import type { Notifier } from '../notifications/notifier.ts';

/** Longest time without a look at the books, in milliseconds. Timers cannot wait for months. */
const WAIT_MS_MAX = 60_000;

export interface ProgressConfig {
  readonly commit: Commit;
  /** Milliseconds since 1970 by the stand-in's clock. */
  readonly now: () => number;
  /** Gives everything that is due its outcome, in the order of time. Called inside a commit. */
  settleDue(): void;
  /** Next time at which something is due, in milliseconds since 1970. */
  nextOutcomeAt(): number | undefined;
  /** Queue whose notifications commits store. */
  readonly notifier?: Pick<Notifier, 'takeUrgent' | 'flush'>;
}

/**
 * Commits that see all outcomes up to now, and start the notifications that they store. A timer settles outcomes
 * between requests.
 */
export interface Progress extends Disposable {
  readonly commit: Commit;
}

export function createProgress(config: ProgressConfig): Progress {
  const { now, settleDue, nextOutcomeAt, notifier } = config;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  const commit: Commit = async (work) => {
    try {
      const [result, urgent] = await config.commit(() => {
        settleDue();
        const done = work();
        settleDue();
        return [done, notifier?.takeUrgent() ?? []] as const;
      });
      await notifier?.flush(urgent);
      return result;
    } finally {
      schedule();
    }
  };

  function schedule(): void {
    clearTimeout(timer);
    const at = isClosed ? undefined : nextOutcomeAt();
    if (at === undefined) return;
    const wait_ms = Math.min(Math.max(at - now(), 1), WAIT_MS_MAX);
    timer = setTimeout(() => void commit(() => undefined).catch(() => undefined), wait_ms).unref();
  }

  schedule();
  return {
    commit,
    [Symbol.dispose]() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
