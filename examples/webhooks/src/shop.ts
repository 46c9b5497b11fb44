import type { WebhookEvent } from '@florin/webhooks';

/** Paid cents by payment. A real shop uses a database table. */
export const paid = new Map<string, number>();

/** Handles an event. Events may arrive twice; a repetition changes nothing here. */
export function handle(event: WebhookEvent): void {
  switch (event.code) {
    case 'transaction.payment_demands.succeeded': {
      const { id, attributes } = event.attributes.data;
      paid.set(id, attributes.amount_cents);
      break;
    }
    default: // Events that the shop does not use, or event codes of a newer Florin.
  }
}
