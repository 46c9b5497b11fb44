import type { ChangeKind, NotificationFacts } from '@florin/contract/member-notifications.ts';
import type { Row } from '../../platform/database/row.ts';
import { instantText, type Micros, microsOf, seconds } from '../../platform/time/clock.ts';
import { FAILING_S } from '../records/notifiable-changes.ts';

/** Result of a due change: a notification, the same question later, or nothing. */
export type Occasion =
  | { readonly facts: NotificationFacts }
  | { readonly again_at: Micros }
  | undefined;

/** Decides about a due change by its record as it is now; undefined if the record does not matter any more. */
export const occasionOf = (kind: ChangeKind, record: Row, now: Micros): Occasion =>
  occasions[kind](record, now);

const amountOf = ({ amount_cents, amount_currency }: Row): NotificationFacts => ({
  amount_cents: amount_cents as string,
  amount_currency: amount_currency as string,
});

const deadlineOf = ({ evidence_due_at }: Row): NotificationFacts =>
  evidence_due_at ? { evidence_due_at: instantText(microsOf(evidence_due_at)) } : {};

const hostOf = ({ url }: Row): NotificationFacts => ({
  host: URL.parse(url ?? '')?.host ?? '',
});

/** An alert of an older process has only its English message. */
const alertFacts = ({ message, message_code, message_parameters }: Row): NotificationFacts => ({
  message: message as string,
  ...(message_code && {
    alert: { code: message_code as string, parameters: JSON.parse(message_parameters as string) },
  }),
});

const isOpen = ({ status }: Row): boolean => status === 'needs_response';

const occasions: Readonly<Record<ChangeKind, (record: Row, now: Micros) => Occasion>> = {
  dispute_opened: (dispute) => ({ facts: { ...amountOf(dispute), ...deadlineOf(dispute) } }),
  evidence_due: (dispute) =>
    isOpen(dispute) ? { facts: { ...amountOf(dispute), ...deadlineOf(dispute) } } : undefined,
  dispute_decided: (dispute) =>
    dispute.status === 'won' || dispute.status === 'lost'
      ? { facts: { ...amountOf(dispute), status: dispute.status } }
      : undefined,
  settlement_difference: ({ found_cents, expected_cents, amount_currency }) => ({
    facts: amountOf({
      amount_cents: found_cents ?? expected_cents ?? '0',
      amount_currency: amount_currency as string,
    }),
  }),
  webhook_failing: failingOccasion,
  webhook_paused: (webhook) =>
    webhook.status === 'paused' ? { facts: hostOf(webhook) } : undefined,
  account_alert: (alert) => ({ facts: alertFacts(alert) }),
};

/** A webhook that was accepted meanwhile, and fails again, is asked about later. */
function failingOccasion(webhook: Row, now: Micros): Occasion {
  if (webhook.status !== 'active' || !webhook.failing_since) return undefined;
  const failing_since = microsOf(webhook.failing_since);
  const due = failing_since + seconds(FAILING_S);
  return due > now
    ? { again_at: due }
    : { facts: { ...hostOf(webhook), failing_since: instantText(failing_since) } };
}
