import { eventCode } from '@florin/contract/events.ts';
import type { Resource } from '../../../api/types.ts';

/** Returns an event's code: `transaction.payment_demands.succeeded`. */
export function codeOf(event: Pick<Resource, 'attributes'>): string {
  const { resource_type, slug } = event.attributes;
  return eventCode(String(resource_type), String(slug));
}
