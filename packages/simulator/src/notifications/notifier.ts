import type { Commit } from '../group-commit.ts';
import { type AttemptPolicy, attemptDelivery } from './attempt-delivery.ts';
import type { DeliveryBooks } from './delivery-books.ts';
import { createDeliveryFaults, type DeliveryFaults } from './delivery-faults.ts';
import type { Notification } from './notification.ts';
import { storeNotification } from './store-notification.ts';

export interface NotifierConfig extends AttemptPolicy {
  readonly books: DeliveryBooks;
  readonly commit: Commit;
  /** Milliseconds since 1970 by the stand-in's clock. */
  readonly now: () => number;
}

/** Queue of notifications. Each address gets one notification at a time, in the order in which they are due. */
export interface Notifier extends Disposable {
  readonly faults: DeliveryFaults;
  /** Stores a notification for delivery. Call only inside a commit, and `wake` after the commit. */
  deliver(notification: Notification): void;
  /** Sends a stored delivery again. False if there is none. Call only inside a commit. */
  resend(position: number): boolean;
  /** Starts due deliveries, and sets a timer for the next one. */
  wake(): void;
  /** As `wake`, but resolves after the first attempts of notifications with fault `before_answer`. */
  flush(): Promise<void>;
}

/** Longest sleep in milliseconds. Timers cannot wait for months. */
const SLEEP_MS_MAX = 60_000;

export function createNotifier(config: NotifierConfig): Notifier {
  const { books, commit, now } = config;
  const faults = createDeliveryFaults();
  const closing = new AbortController();
  const busyUrls = new Set<string>();
  /** Deliveries that responses wait for, with the functions that end the wait. */
  const urgent = new Map<number, PromiseWithResolvers<void>>();
  let timer: NodeJS.Timeout | undefined;

  async function drain(url: string): Promise<void> {
    for (;;) {
      const delivery = closing.signal.aborted ? undefined : books.nextOf(url, now());
      if (!delivery) return;
      const change = await attemptDelivery(config, delivery, {
        now,
        closingSignal: closing.signal,
      });
      if (closing.signal.aborted) return;
      await commit(() => books.update(change));
      urgent.get(delivery.position)?.resolve();
      urgent.delete(delivery.position);
    }
  }

  function wake(): void {
    clearTimeout(timer);
    if (closing.signal.aborted) return;
    for (const url of books.dueUrls(now()).filter((due) => !busyUrls.has(due))) {
      busyUrls.add(url);
      void drain(url)
        .catch(() => undefined)
        .then(() => busyUrls.delete(url))
        .then(wake);
    }
    const at = books.nextDue(now());
    if (at === undefined) return;
    timer = setTimeout(wake, Math.min(Math.max(at - now(), 1), SLEEP_MS_MAX)).unref();
  }

  wake();
  return {
    faults,
    deliver(notification) {
      const fault = faults.take(notification.event, notification.subject);
      const positions = storeNotification(books, notification, fault, now());
      if (fault?.kind === 'before_answer')
        for (const position of positions) urgent.set(position, Promise.withResolvers());
    },
    resend(position) {
      const delivery = books.find(position);
      if (delivery) books.update({ ...delivery, state: 'waiting', attempts: 0, dueAt: now() });
      return delivery !== undefined;
    },
    wake,
    async flush() {
      for (const position of urgent.keys())
        if (books.find(position)?.state !== 'waiting') urgent.delete(position);
      wake();
      await Promise.all([...urgent.values()].map(({ promise }) => promise));
    },
    [Symbol.dispose]() {
      clearTimeout(timer);
      closing.abort();
      for (const { resolve } of urgent.values()) resolve();
    },
  };
}
