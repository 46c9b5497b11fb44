import type { Resource } from '../../../api/types.ts';

/** Returns an event's code: `transaction.payment_demands.succeeded`. */
export function codeOf(event: Pick<Resource, 'attributes'> | undefined): string | undefined {
  if (!event) return undefined;
  const { resource_type, slug } = event.attributes as { resource_type?: string; slug?: string };
  return resource_type && slug && `${resource_type}.${slug}`;
}
