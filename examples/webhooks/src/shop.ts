import type { WebhookEvent } from '@florin/webhooks';

/** Cents by payment: what this shop knows to be paid. A table, in earnest. */
export const paid = new Map<string, number>();

/** What the shop does about an event. The same one may come twice, which changes nothing here. */
export function handle(event: WebhookEvent): void {
  switch (event.code) {
    case 'transaction.payment_demands.succeeded': {
      const { id, attributes } = event.attributes.data;
      paid.set(id, attributes.amount_cents);
      break;
    }
    default: // Not of interest, or of a Florin that is newer.
  }
}
