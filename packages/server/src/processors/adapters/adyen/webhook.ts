import type { RawNotification } from '../../port/notifications.ts';
import { itemsOf, type Members, membersOf } from '../../port/read-answer.ts';

/** A message as JSON has one item. Each signature is one call of the vault, so more than this is refused. */
const ITEMS_MAX = 16;

/** A standard webhook: `live` is `"true"` or `"false"`. */
interface Webhook {
  readonly live: unknown;
  readonly items: readonly Members[];
}

/** Reads a standard webhook; undefined for any other body. */
export function readWebhook({ body }: RawNotification): Webhook | undefined {
  const { live, notificationItems } = membersOf(parse(body));
  const items = itemsOf(notificationItems).map(({ NotificationRequestItem }) =>
    membersOf(NotificationRequestItem),
  );
  return items.length > 0 && items.length <= ITEMS_MAX ? { live, items } : undefined;
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}
