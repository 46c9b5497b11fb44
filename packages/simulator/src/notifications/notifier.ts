import type { Commit } from '../group-commit.ts';
import { type AttemptPolicy, attemptDelivery } from './attempt-delivery.ts';
import type { DeliveryBooks, DeliveryChange, StoredDelivery } from './delivery-books.ts';
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
  /** Deliveries with fault `before_answer` since the last call. Call at the end of a commit. */
  takeUrgent(): readonly number[];
  /** As `wake`, but resolves after the next attempts of these deliveries. */
  flush(urgent: readonly number[]): Promise<void>;
}

export function createNotifier(config: NotifierConfig): Notifier {
  const { books, now } = config;
  const faults = createDeliveryFaults();
  /** Addresses that may have deliveries to send. */
  const urls = new Set(books.openUrls());
  const sender = createSender(config, urls);
  let urgentPositions: number[] = [];
  sender.wake();
  return {
    ...sender,
    faults,
    deliver(notification) {
      const fault = faults.take(notification.event, notification.subject);
      urls.add(notification.url);
      const positions = storeNotification(books, notification, fault, now());
      if (fault?.kind === 'before_answer') urgentPositions.push(...positions);
    },
    resend(position) {
      const delivery = books.find(position);
      if (!delivery) return false;
      urls.add(delivery.url);
      books.update({ ...delivery, state: 'waiting', attempts: 0, dueAt: now() });
      return true;
    },
    takeUrgent() {
      const taken = urgentPositions;
      urgentPositions = [];
      return taken;
    },
  };
}

/** Deliveries whose results share a commit. When the process ends, at most so many are sent again. */
const BATCH_MAX = 20;
/** Longest sleep in milliseconds. Timers cannot wait for months. */
const SLEEP_MS_MAX = 60_000;

function createSender(
  config: NotifierConfig,
  urls: ReadonlySet<string>,
): Pick<Notifier, 'wake' | 'flush' | typeof Symbol.dispose> {
  const { books, commit, now } = config;
  const closing = new AbortController();
  const { signal: closingSignal } = closing;
  const busyUrls = new Set<string>();
  /** Deliveries that responses wait for. */
  const awaited = new Map<number, PromiseWithResolvers<void>>();
  let timer: NodeJS.Timeout | undefined;

  async function drain(url: string): Promise<void> {
    for (;;) {
      const batch = closingSignal.aborted ? [] : books.dueOf(url, now(), BATCH_MAX);
      if (batch.length === 0) return;
      const changes = await sendBatch(batch);
      if (closingSignal.aborted) return;
      await commit(() => changes.forEach(books.update));
    }
  }

  /** Sends deliveries one after the other. Ends at the first that fails, so that its failure is stored soon. */
  async function sendBatch(batch: readonly StoredDelivery[]): Promise<DeliveryChange[]> {
    const changes: DeliveryChange[] = [];
    for (const delivery of batch) {
      const change = await attemptDelivery(config, delivery, { now, closingSignal });
      changes.push(change);
      awaited.get(delivery.position)?.resolve();
      awaited.delete(delivery.position);
      if (change.state !== 'delivered' || closingSignal.aborted) break;
    }
    return changes;
  }

  function wake(): void {
    clearTimeout(timer);
    if (closingSignal.aborted) return;
    for (const url of urls) {
      if (busyUrls.has(url) || books.dueOf(url, now(), 1).length === 0) continue;
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

  return {
    wake,
    async flush(urgent) {
      const waiting = urgent.filter((position) => isUnsent(books.find(position)));
      for (const position of waiting) awaited.set(position, Promise.withResolvers());
      wake();
      await Promise.all(waiting.map((position) => awaited.get(position)?.promise));
    },
    [Symbol.dispose]() {
      clearTimeout(timer);
      closing.abort();
      for (const { resolve } of awaited.values()) resolve();
    },
  };
}

/** Whether the first attempt is still to come. A commit that was undone has left no delivery. */
const isUnsent = (delivery: StoredDelivery | undefined): boolean =>
  delivery?.state === 'waiting' && delivery.attempts === 0;
