import type { AdyenServices } from '../call.ts';
import { type AdyenEvent, composeNotification } from './compose-notification.ts';

/**
 * Stores the notification of an event, if the account has an address for it. Faults select it by the merchant's
 * reference. Runs inside a commit.
 */
export function emitAdyenEvent(
  { books, notifier, now }: AdyenServices,
  event: AdyenEvent,
  subject = event.merchantReference,
): void {
  const settings = books.accounts.find(event.merchantAccountCode)?.settings;
  if (settings?.webhook_url === undefined) return;
  notifier.deliver({
    url: settings.webhook_url,
    event: event.eventCode,
    subject,
    delayMs: settings.webhook_delay_ms,
    compose: (variant) => composeNotification(event, settings, now(), variant),
  });
}
