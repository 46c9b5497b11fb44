import type { SandboxOutcome } from '@florin/contract/card/sandbox-cards.ts';

/**
 * Response codes like ISO 8583 field 39. Visa's letter codes cover cases without a standard code: N7 for a wrong CVV2, 1A
 * for a cardholder who was not authenticated.
 */
export const responseCodes = {
  approved: '00',
  generic_decline: '05',
  invalid_card: '14',
  lost_card: '41',
  stolen_card: '43',
  insufficient_funds: '51',
  expired_card: '54',
  highest_risk: '59',
  always_blocked: '62',
  incorrect_cvc: 'N7',
  authentication_failed: '1A',
} as const satisfies Record<SandboxOutcome, string>;

/** Response code for an approval of a part of the amount. */
export const PARTIAL_RESPONSE_CODE = '10';

/** Reversed because the response came too late: the caller had abandoned the authorisation. */
export const REVERSED_RESPONSE_CODE = '68';

/** `invalid_amount`: more than the remaining amount. `invalid_transaction`: never captured, or still on hold. */
export const followUpResponseCodes = {
  approved: '00',
  do_not_honour: '05',
  invalid_transaction: '12',
  invalid_amount: '13',
} as const;
