import type { DisputeReason } from '@florin/contract/protocol/network.ts';
import type { DisputeNotification } from '../../port/disputes.ts';
import { membersOf } from '../../port/read-answer.ts';

type DisputeStatus = DisputeNotification['status'];

/** Events of a dispute with money, by the status that they leave it in. */
const statusByEvent: Readonly<Record<string, DisputeStatus>> = {
  NOTIFICATION_OF_CHARGEBACK: 'open',
  CHARGEBACK: 'open',
  CHARGEBACK_REVERSED: 'open',
  PREARBITRATION_OPEN: 'open',
  PREARBITRATION_ACCEPTED: 'open',
  PREARBITRATION_DECLINED: 'open',
  PREARBITRATION_ISSUER_WITHDRAWN: 'open',
  SCHEME_ARBITRATION: 'open',
  ISSUER_RESPONSE_TIMEFRAME_EXPIRED: 'won',
  PREARBITRATION_WON: 'won',
  SCHEME_ARBITRATION_WON: 'won',
  DISPUTE_DEFENSE_PERIOD_ENDED: 'lost',
  SECOND_CHARGEBACK: 'lost',
  PREARBITRATION_LOST: 'lost',
  SCHEME_ARBITRATION_LOST: 'lost',
};

/** Events that come after the first chargeback was returned, or that imply it. */
const SECOND_ROUND: ReadonlySet<string> = new Set([
  'SECOND_CHARGEBACK',
  'PREARBITRATION_WON',
  'PREARBITRATION_LOST',
  'SCHEME_ARBITRATION_WON',
  'SCHEME_ARBITRATION_LOST',
]);

export const roundOfDispute = (event: string): { readonly is_second_round?: true } =>
  SECOND_ROUND.has(event) ? { is_second_round: true } : {};

/** Statuses of a chargeback that nobody contests any more. */
const LOST: readonly unknown[] = ['Accepted', 'Lost'];

const isDisputeEvent = (event: string): boolean => Object.hasOwn(statusByEvent, event);

/** Status of a dispute after an event; undefined for events of other kinds. */
export function disputeStatusOf(event: string, additionalData: unknown): DisputeStatus | undefined {
  if (!isDisputeEvent(event)) return undefined;
  const { disputeStatus } = membersOf(additionalData);
  if (event === 'CHARGEBACK' && LOST.includes(disputeStatus)) return 'lost';
  if (event === 'CHARGEBACK_REVERSED' && disputeStatus === 'Won') return 'won';
  const status = statusByEvent[event];
  return status === 'won' && disputeStatus === 'Pending' ? 'open' : status;
}

/** Reason codes of Visa, Mastercard, American Express, Discover and Diners by reason. */
const codesByReason: readonly (readonly [DisputeReason, string])[] = [
  [
    'fraudulent',
    '10.1 10.2 10.3 10.4 10.5 4837 4840 4849 4870 4871 F10 F14 F24 F29 F30 F31 FR2 FR4 FR6 UA01 UA02 UA03 UA05 UA06 UA10 UA11',
  ],
  ['product_not_received', '13.1 4855 C08 RG'],
  ['duplicate', '12.6 12.6.1 12.6.2 P08 DP'],
  ['unrecognized', '4863 AA'],
];

const reasonByCode = new Map(
  codesByReason.flatMap(([reason, codes]) =>
    codes.split(' ').map((code) => [code, reason] as const),
  ),
);

/** Reason of a dispute by its network's code, which may begin with a blank. */
export function disputeReasonOf(additionalData: unknown): DisputeReason {
  const { chargebackReasonCode: code } = membersOf(additionalData);
  return (typeof code === 'string' && reasonByCode.get(code.trim())) || 'general';
}

/** Deadline for evidence in UTC, if the event names one. */
export function deadlineOfDispute(additionalData: unknown): { readonly evidence_due_at?: string } {
  const at = Date.parse(String(membersOf(additionalData).defensePeriodEndsAt));
  return Number.isNaN(at) ? {} : { evidence_due_at: new Date(at).toISOString() };
}
