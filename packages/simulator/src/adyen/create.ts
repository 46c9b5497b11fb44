import type { StandIn } from '../http.ts';
import { createNotifier } from '../notifications/notifier.ts';
import { serveControl } from '../stand-in/control.ts';
import { createProgress } from '../stand-in/progress.ts';
import { createTransport } from '../stand-in/transport.ts';
import { unreadable } from './answers.ts';
import { openAdyenBooks } from './books.ts';
import type { AdyenServices } from './call.ts';
import { adyenControlRoutes } from './control.ts';
import { createAdyenDispatch } from './dispatch.ts';
import { ADYEN_WEBHOOK_POLICY } from './events/policy.ts';
import { nextAdyenOutcomeAt, settleAdyenDue } from './settle.ts';

/** First part of the stand-in's paths. */
const PREFIX = '/adyen';
/** Largest body in bytes, which may hold documents of a defence. */
const BODY_BYTES_MAX = 10 * 1024 * 1024;

export interface AdyenConfig {
  /** Directory of the books; only one stand-in may use it at a time. */
  readonly dataDir: string;
  readonly now?: () => Date;
}

/** Stand-in of Adyen's Checkout interface, with a control surface below `/control`. */
export type Adyen = StandIn & Disposable;

/** Opens the stand-in's books. Throws if another process has them open. */
export function createAdyen({ dataDir, now = () => new Date() }: AdyenConfig): Adyen {
  const books = openAdyenBooks(dataDir);
  const clock = () => now().getTime() + books.clockOffset();
  const notifier = createNotifier({
    ...ADYEN_WEBHOOK_POLICY,
    books: books.deliveries,
    commit: books.commit,
    now: clock,
  });
  const progress = createProgress({
    commit: books.commit,
    now: clock,
    settleDue: () => settleAdyenDue({ books, now: clock, notifier }),
    nextOutcomeAt: () => nextAdyenOutcomeAt({ books, now: clock, notifier }),
    notifier,
  });
  const services: AdyenServices = {
    books: { ...books, commit: progress.commit },
    now: clock,
    notifier,
  };
  const closing = new AbortController();
  const transport = createTransport({
    prefix: PREFIX,
    malformed: unreadable('Unable to parse message'),
    jsonBytesMax: BODY_BYTES_MAX,
    answer: createAdyenDispatch(services),
    control: (call) => progress.commit(() => serveControl(adyenControlRoutes, services, call)),
    complete: (answer) => answer,
    closingSignal: closing.signal,
  });
  return {
    ...transport,
    [Symbol.dispose]() {
      closing.abort();
      progress[Symbol.dispose]();
      notifier[Symbol.dispose]();
      books[Symbol.dispose]();
    },
  };
}
