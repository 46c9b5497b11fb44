import type { CardBrand } from '@florin/contract/card/networks.ts';
import { type JsonMembers, membersOf, textOf, wholeNumberOf } from '../../stand-in/members.ts';
import { amountFaults, metadataFaults, referenceFaults } from '../parse-payment.ts';
import type { StoredPayment } from '../records.ts';

/** Parsed body of a capture, void, refund, reversal or cancellation. Amounts are minor units. */
export interface FollowUpOrder {
  /** Absent means the whole amount that is available. */
  readonly amount?: number;
  /** Whether a capture releases the rest of the authorisation. Absent in a request means true. */
  readonly isFinal: boolean;
  readonly reference?: string;
  readonly metadata?: JsonMembers;
  /** Capture that a refund belongs to. */
  readonly captureActionId?: string;
}

const CAPTURE_TYPES: readonly unknown[] = ['Final', 'NonFinal'];

/** Parses a follow-up of a payment, or returns the error codes of its faults. */
export function parseFollowUpOrder(
  body: JsonMembers,
  { currency, facts }: StoredPayment,
): FollowUpOrder | readonly string[] {
  const { amount, capture_type = 'Final' } = body;
  const faults = [
    ...(amount === undefined ? [] : positiveAmountFaults(amount, currency)),
    ...(CAPTURE_TYPES.includes(capture_type) ? [] : ['capture_type_invalid']),
    ...referenceFaults(body.reference, facts.source.brand as CardBrand),
    ...metadataFaults(body.metadata),
  ];
  if (faults.length > 0) return faults;
  const reference = textOf(body.reference);
  const captureActionId = textOf(body.capture_action_id);
  return {
    isFinal: capture_type === 'Final',
    ...(amount !== undefined && { amount: Number(amount) }),
    ...(reference && { reference }),
    ...(body.metadata !== undefined && { metadata: membersOf(body.metadata) }),
    ...(captureActionId && { captureActionId }),
  };
}

const positiveAmountFaults = (amount: unknown, currency: string): string[] =>
  wholeNumberOf(amount) === 0 ? ['amount_invalid'] : amountFaults(amount, currency);
