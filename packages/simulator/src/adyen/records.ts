/** Result codes of `POST /payments` that the stand-in gives. */
export type ResultCode =
  | 'Authorised'
  | 'Refused'
  | 'Cancelled'
  | 'Error'
  | 'PartiallyAuthorised'
  | 'Received'
  | 'RedirectShopper';

/** Decision about a payment. `amount` is the authorised part in Adyen's minor units. */
export interface AdyenDecision {
  readonly resultCode: ResultCode;
  readonly amount: number;
  /** Refusal reason code; absent for approvals. */
  readonly reasonCode?: string;
  /** The issuer's own code and text. */
  readonly reasonRaw?: string;
  readonly authCode?: string;
  readonly networkTxReference?: string;
  readonly avs: string;
  readonly cvc: string;
}

/** `pending`: the response was `Received`. `refused` includes errors. */
export type AdyenPaymentStatus = 'authorised' | 'refused' | 'pending' | 'cancelled' | 'expired';

/** Payment in the books. Times are milliseconds since 1970, amounts Adyen's minor units. */
export interface AdyenPayment {
  readonly psp: string;
  readonly account: string;
  readonly reference: string;
  /** Authorised amount; the requested amount of other payments. */
  readonly amount: number;
  readonly currency: string;
  readonly status: AdyenPaymentStatus;
  readonly requestedAt: number;
  /** End of an approval, or time of a pending payment's outcome. */
  readonly dueAt: number;
  readonly facts: AdyenPaymentFacts;
}

/** Facts of a payment that no query needs. Never a card number, security code or cryptogram. */
export interface AdyenPaymentFacts {
  readonly card: AdyenCardFacts;
  readonly requestedAmount: number;
  readonly decision: AdyenDecision;
  /** Decision of a pending payment, which counts at its time. */
  readonly later?: AdyenDecision;
  readonly merchantOrderReference?: string;
  readonly shopperReference?: string;
  readonly recurringProcessingModel?: string;
  readonly shopperInteraction: string;
  readonly storedPaymentMethodId?: string;
  readonly eci?: string;
  readonly dsTransID?: string;
  readonly threeDSVersion?: string;
  /** Whether the issuer is liable for fraud, because the cardholder was authenticated. */
  readonly isLiabilityShifted: boolean;
  /** Modification that fails after its success. */
  readonly failingKind?: 'capture' | 'refund';
}

/** Facts of a card that responses and notifications show. */
export interface AdyenCardFacts {
  /** Name of the brand in the interface, such as `mc`. */
  readonly brand: string;
  readonly last4: string;
  readonly bin: string;
  readonly expiryMonth: number;
  readonly expiryYear: number;
  readonly fingerprint: string;
  readonly holderName?: string;
}

export type ModificationKind = 'capture' | 'cancel' | 'technical_cancel' | 'refund' | 'reversal';

/**
 * `failing`: succeeded, and fails at its time. `failed`: failed after its success. `refused`: never succeeded.
 */
export type ModificationState = 'pending' | 'succeeded' | 'failing' | 'failed' | 'refused';

/** Capture, cancellation, refund or reversal. `dueAt` is the time of its next change. */
export interface Modification {
  readonly psp: string;
  /** Psp reference of the payment; empty for a cancellation by the merchant's reference. */
  readonly payment: string;
  readonly account: string;
  readonly kind: ModificationKind;
  /** Adyen's minor units; 0 where the request has no amount. */
  readonly amount: number;
  readonly currency: string;
  readonly reference: string | null;
  readonly state: ModificationState;
  readonly requestedAt: number;
  readonly dueAt: number;
  readonly facts: ModificationFacts;
}

export interface ModificationFacts {
  /** Merchant's reference of the payments to cancel. */
  readonly paymentReference?: string;
  /** Psp reference of the payment that a cancellation by reference found. */
  readonly paymentPsp?: string;
  /** Effect of a reversal. */
  readonly action?: 'cancel' | 'refund';
  /** Reason of a refused modification. */
  readonly reason?: string;
  /** Whether the account captured by itself: no notification follows. */
  readonly isAutomatic?: boolean;
}
