import type { StandIn } from '../http.ts';
import { createNotifier } from '../notifications/notifier.ts';
import type { StandInAnswer } from '../stand-in/answer.ts';
import { serveControl } from '../stand-in/control.ts';
import { membersOf } from '../stand-in/members.ts';
import { createProgress } from '../stand-in/progress.ts';
import { createTransport } from '../stand-in/transport.ts';
import { malformed } from './answer.ts';
import { openCheckoutBooks } from './books.ts';
import type { CheckoutServices } from './call.ts';
import { checkoutControlRoutes } from './control.ts';
import { createDispatch } from './dispatch.ts';
import { WEBHOOK_POLICY } from './events/emit.ts';
import { nextOutcomeAt, settleDue } from './follow-ups/settle.ts';
import { randomBase32 } from './ids.ts';

/** First part of the stand-in's paths. */
const PREFIX = '/checkout-com';
const VERSION = '1.0.0';

export interface CheckoutComConfig {
  /** Directory of the books; only one stand-in may use it at a time. */
  readonly dataDir: string;
  readonly now?: () => Date;
}

/** Stand-in of Checkout.com's payments interface, with a control surface below `/control`. */
export type CheckoutCom = StandIn & Disposable;

/** Opens the stand-in's books. Throws if another process has them open. */
export function createCheckoutCom({
  dataDir,
  now = () => new Date(),
}: CheckoutComConfig): CheckoutCom {
  const books = openCheckoutBooks(dataDir);
  const clock = () => now().getTime() + books.clockOffset();
  const notifier = createNotifier({
    ...WEBHOOK_POLICY,
    books: books.deliveries,
    commit: books.commit,
    now: clock,
  });
  const progress = createProgress({
    commit: books.commit,
    now: clock,
    settleDue: () => settleDue({ books, now: clock, notifier }),
    nextOutcomeAt: () => nextOutcomeAt({ books, now: clock, notifier }),
    notifier,
  });
  const services: CheckoutServices = {
    books: { ...books, commit: progress.commit },
    now: clock,
    notifier,
  };
  const closing = new AbortController();
  const transport = createTransport({
    prefix: PREFIX,
    malformed,
    answer: createDispatch(services),
    control: (call) => progress.commit(() => serveControl(checkoutControlRoutes, services, call)),
    complete: completeAnswer,
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

/** Adds the id of the request, which validation errors repeat in their body. */
function completeAnswer(answer: StandInAnswer): StandInAnswer {
  const requestId = randomBase32();
  const members = membersOf(answer.body);
  return {
    ...answer,
    headers: { ...answer.headers, 'cko-request-id': requestId, 'cko-version': VERSION },
    ...(members.error_codes !== undefined && { body: { request_id: requestId, ...members } }),
  };
}
