import type { DeclineCode } from '../decline-codes.ts';

/** Results of the issuer's checks after which a merchant may refuse an approved payment. The first one decides. */
export const checkRules = ['cvc_mismatch', 'postal_code_mismatch', 'address_mismatch'] as const;
export type CheckRule = (typeof checkRules)[number];

/** A rule about a check: the payment's attribute with the result, and the reason of a refused payment. */
interface CheckRuleFacts {
  readonly check: 'cvc2_check' | 'address_line1_verification' | 'postal_code_verification';
  readonly failure_reason: DeclineCode;
}

export const checkRuleFacts = {
  cvc_mismatch: { check: 'cvc2_check', failure_reason: 'incorrect_cvc' },
  postal_code_mismatch: { check: 'postal_code_verification', failure_reason: 'card_not_verified' },
  address_mismatch: { check: 'address_line1_verification', failure_reason: 'card_not_verified' },
} as const satisfies Record<CheckRule, CheckRuleFacts>;
