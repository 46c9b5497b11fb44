import type { JsonMembers } from '../stand-in/members.ts';
import type { PaymentDecision } from './decide-payment.ts';

/** Status of a payment apart from its captures, voids and refunds. */
export type BaseStatus =
  | 'Pending'
  | 'Authorized'
  | 'Card Verified'
  | 'Declined'
  | 'Retry Scheduled'
  | 'Canceled'
  | 'Voided'
  | 'Expired';

/** Whether the issuer once approved a payment of this status. */
export const wasApproved = (status: BaseStatus): boolean =>
  ['Authorized', 'Card Verified', 'Voided', 'Expired'].includes(status);

/** Payment in the books. Times are milliseconds since 1970, amounts minor units. */
export interface StoredPayment {
  readonly id: string;
  readonly channel: string;
  readonly reference: string | null;
  readonly amount: number;
  readonly currency: string;
  readonly status: BaseStatus;
  readonly requestedAt: number;
  readonly expiresAt: number;
  readonly facts: PaymentFacts;
}

/** Facts of a payment that no query needs. Never a card number, CVV or cryptogram. */
export interface PaymentFacts {
  readonly source: SourceFacts;
  readonly paymentType: string;
  readonly authorizationType: string;
  readonly metadata: JsonMembers;
  readonly capture: boolean;
  readonly requestedAmount: number;
  readonly customer?: JsonMembers;
  readonly billingDescriptor?: JsonMembers;
  readonly eci?: string;
  readonly schemeId?: string;
  readonly isRiskFlagged: boolean;
  readonly recommendation?: string;
  /** Absent if the request had no authentication and no challenge. */
  readonly threeds?: { readonly upgradeReason?: string; readonly version?: string };
  /** The issuer's decision, which counts once the hosted challenge is passed. */
  readonly afterChallenge?: PaymentDecision;
  /** Response codes of follow-ups, set by control. */
  readonly outcomes?: Partial<Readonly<Record<ActionType, string>>>;
}

/** Facts of a card that responses show. */
export interface SourceFacts {
  readonly type: string;
  readonly scheme: string;
  readonly brand: string;
  readonly last4: string;
  readonly bin: string;
  readonly expiryMonth: number;
  readonly expiryYear: number;
  readonly fingerprint: string;
  readonly name?: string;
  readonly avs?: string;
  readonly cvv?: string;
}

export type ActionType = 'Authorization' | 'Card Verification' | 'Capture' | 'Void' | 'Refund';
export type ActionState = 'pending' | 'approved' | 'declined';

/** Action of a payment. `dueAt` is the time at which a pending action gets its outcome. */
export interface StoredAction {
  readonly id: string;
  readonly payment: string;
  readonly type: ActionType;
  readonly amount: number;
  readonly reference: string | null;
  readonly state: ActionState;
  readonly requestedAt: number;
  readonly dueAt: number;
  readonly facts: ActionFacts;
}

/** Facts of an action that no query needs. `code` is the response code of its outcome. */
export interface ActionFacts {
  readonly code: string;
  readonly authCode?: string;
  readonly metadata?: JsonMembers;
  readonly authorizationType?: string;
  /** Minor units of the authorisation that a final capture of a part releases. */
  readonly released?: number;
}
