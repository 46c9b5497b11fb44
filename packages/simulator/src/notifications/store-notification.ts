import type { DeliveryBooks, DeliveryState } from './delivery-books.ts';
import type { DeliveryFault, DeliveryFaultKind } from './delivery-faults.ts';
import type { Notification, NotificationVariant } from './notification.ts';

const VARIANTS: readonly NotificationVariant[] = ['wrong_signature', 'unknown_type', 'malformed'];

/** Stores a notification with its fault, and returns the positions of its deliveries. Runs inside a commit. */
export function storeNotification(
  books: DeliveryBooks,
  { url, event, subject, delayMs = 0, compose }: Notification,
  fault: DeliveryFault | undefined,
  now: number,
): number[] {
  const dueAt = now + waitBefore(fault, delayMs);
  const delivery = {
    url,
    event,
    subject,
    ...compose(variantOf(fault?.kind)),
    state: stateOf(fault?.kind),
    dueAt,
  };
  const copies = fault?.kind === 'doubled' ? [delivery, delivery] : [delivery];
  const positions = copies.map((copy) => books.add(copy));
  // One millisecond later: deliveries of an address are sent in the order of their due times.
  if (delivery.state === 'waiting') books.release(url, dueAt + 1);
  return positions;
}

/** Milliseconds before the first attempt. A response that waits for it needs the attempt at once. */
function waitBefore(fault: DeliveryFault | undefined, delayMs: number): number {
  if (fault?.kind === 'before_answer') return 0;
  return fault?.kind === 'late' ? delayMs + fault.delayMs : delayMs;
}

const variantOf = (kind: DeliveryFaultKind | undefined): NotificationVariant =>
  VARIANTS.find((variant) => variant === kind) ?? 'valid';

function stateOf(kind: DeliveryFaultKind | undefined): DeliveryState {
  if (kind === 'lost') return 'lost';
  return kind === 'out_of_order' ? 'held' : 'waiting';
}
