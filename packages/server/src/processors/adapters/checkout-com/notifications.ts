import type { DisputeReason } from '@florin/contract/protocol/network.ts';
import { fromProcessorUnits } from '../../port/minor-units.ts';
import type { NotificationFact, Notifications } from '../../port/notifications.ts';
import type { FollowUpResult } from '../../port/processor.ts';
import { type Members, membersOf, textOf } from '../../port/read-answer.ts';
import { checkoutExponents } from './metadata.ts';
import { approvalOf, declineOf } from './read-payment.ts';
import { idOfReference } from './reference.ts';

const SIGNATURE = /^[0-9a-f]{64}$/;

/** An event with the members that all facts need. */
interface CheckoutEvent {
  readonly type: string;
  readonly data: Members;
  readonly base: { readonly key: string; readonly at: string };
}

type ReadEvent = (event: CheckoutEvent) => NotificationFact | undefined;

const authorisation =
  (read: typeof approvalOf | typeof declineOf): ReadEvent =>
  ({ data, base }) => {
    const reference = textOf(data.reference);
    return reference === undefined
      ? undefined
      : {
          ...base,
          kind: 'authorisation',
          attempt_id: idOfReference(reference),
          result: read(data),
        };
  };

/** `data.reference` is the reference of the reversal, which is that of the attempt. */
const reversal =
  (reversed: boolean): ReadEvent =>
  ({ data, base }) => {
    const [reference, payment] = [textOf(data.reference), textOf(data.id)];
    const action = textOf(data.action_id);
    return {
      ...base,
      kind: 'reversal',
      reversed,
      ...(action !== undefined && { reversal_reference: action }),
      ...(reference !== undefined && { attempt_id: idOfReference(reference) }),
      ...(payment !== undefined && { processor_reference: payment }),
    };
  };

/** `data.reference` is the reference of the capture or refund, and `data.id` the payment. */
const followUp =
  (kind: 'capture' | 'refund', isApproved: boolean): ReadEvent =>
  ({ data, base }) => {
    const [action, payment] = [textOf(data.action_id), textOf(data.id)];
    const reference = textOf(data.reference);
    if (action === undefined) return undefined;
    const result: FollowUpResult = isApproved
      ? { result: 'approved', network_transaction_id: null }
      : { result: 'declined', code: `${kind}_declined` };
    return {
      ...base,
      kind,
      processor_reference: action,
      result,
      ...(payment !== undefined && { authorisation_reference: payment }),
      ...(reference !== undefined && { demand_id: idOfReference(reference) }),
    };
  };

const reasons: Readonly<Record<string, DisputeReason>> = {
  fraudulent: 'fraudulent',
  unrecognized: 'unrecognized',
  product_service_not_received: 'product_not_received',
  duplicate: 'duplicate',
};

/** Deadline for evidence in UTC, if the event names one. */
function deadlineOf({ evidence_required_by }: Members): { readonly evidence_due_at?: string } {
  const at = Date.parse(String(evidence_required_by));
  return Number.isNaN(at) ? {} : { evidence_due_at: new Date(at).toISOString() };
}

const dispute =
  (status: 'open' | 'won' | 'lost', round: { readonly is_second_round?: true } = {}): ReadEvent =>
  ({ data, base }) => {
    const [reference, payment] = [textOf(data.id), textOf(data.payment_id)];
    const { amount, currency, category } = data;
    if (reference === undefined || payment === undefined) return undefined;
    if (typeof amount !== 'number' || typeof currency !== 'string') return undefined;
    const units = fromProcessorUnits({ amount, currency }, checkoutExponents);
    if (units === undefined || units <= 0) return undefined;
    const reason = reasons[String(category)] ?? 'general';
    return {
      ...base,
      kind: 'dispute',
      processor_reference: payment,
      dispute: {
        reference,
        reason,
        status,
        amount: units,
        currency,
        ...deadlineOf(data),
        ...round,
      },
    };
  };

/** An arbitration follows a won dispute. */
const arbitration = { is_second_round: true } as const;

/** Readers by type of event. Other types are of no interest. */
const readers = new Map<string, ReadEvent>([
  ['payment_approved', authorisation(approvalOf)],
  ['payment_declined', authorisation(declineOf)],
  ['payment_voided', reversal(true)],
  ['payment_void_declined', reversal(false)],
  ['payment_captured', followUp('capture', true)],
  ['payment_capture_declined', followUp('capture', false)],
  ['payment_refunded', followUp('refund', true)],
  ['payment_refund_declined', followUp('refund', false)],
  ['dispute_received', dispute('open')],
  ['dispute_evidence_required', dispute('open')],
  ['dispute_won', dispute('won')],
  ['dispute_canceled', dispute('won')],
  ['dispute_arbitration_won', dispute('won', arbitration)],
  ['dispute_lost', dispute('lost')],
  ['dispute_expired', dispute('lost')],
  ['dispute_accepted', dispute('lost')],
  ['dispute_arbitration_lost', dispute('lost', arbitration)],
]);

/** Reads a signed event. Unreadable events are ignored, because sending them again would not help. */
function factOf(body: Uint8Array): NotificationFact {
  const event = membersOf(parse(body));
  const { created_on } = event;
  const data = membersOf(event.data);
  const type = textOf(event.type) ?? 'unreadable';
  const at = typeof created_on === 'string' ? created_on : '';
  const base = { key: `${type} ${textOf(data.action_id) ?? textOf(data.id) ?? ''}`, at };
  const read = readers.get(type);
  return (
    read?.({ type, data, base }) ?? {
      ...base,
      kind: 'ignored',
      why: read ? `${type} lacks a member` : `${type} is of no interest`,
    }
  );
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}

/** Events of Checkout.com's workflows. The signature covers the bytes of the body. */
export const checkoutNotifications: Notifications = {
  secrets: ['signature_key', 'signature_key_before'],
  signaturesOf({ headers, body }) {
    const signature = headers['cko-signature'] ?? '';
    if (!SIGNATURE.test(signature)) return undefined;
    return [
      {
        secrets: ['signature_key', 'signature_key_before'],
        check: {
          kind: 'hmac_sha256',
          key_encoding: 'utf8',
          payload: Buffer.from(body).toString('base64'),
          payload_encoding: 'base64',
          signature,
          signature_encoding: 'hex',
        },
      },
    ];
  },
  readFacts: ({ body }) => [factOf(body)],
};
