import type { Commit } from '../../group-commit.ts';
import type { CheckoutServices } from '../call.ts';
import { nextOutcomeAt, settleDue } from './settle.ts';

/** Longest time without a look at the books, in milliseconds. Timers cannot wait for months. */
const WAIT_MS_MAX = 60_000;

/** Commits that see all outcomes up to now. A timer settles outcomes between requests. */
export interface Progress extends Disposable {
  readonly commit: Commit;
}

export function createProgress(services: CheckoutServices): Progress {
  const { books, now } = services;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  const commit: Commit = async (work) => {
    try {
      return await books.commit(() => {
        settleDue(services);
        return work();
      });
    } finally {
      schedule();
    }
  };

  function schedule(): void {
    clearTimeout(timer);
    const at = isClosed ? undefined : nextOutcomeAt(services);
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
