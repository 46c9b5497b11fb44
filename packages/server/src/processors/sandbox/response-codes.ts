import type { DeclineCode } from '@florin/contract/decline-codes.ts';

/** Decline codes by response code (ISO 8583 field 39, and the networks' own codes). */
const declineCodeByResponse = new Map<string, DeclineCode>([
  ['05', 'generic_decline'],
  ['14', 'invalid_card'],
  ['1A', 'authentication_failed'],
  ['41', 'lost_card'],
  ['43', 'stolen_card'],
  ['51', 'insufficient_funds'],
  ['54', 'expired_card'],
  ['59', 'highest_risk'],
  ['62', 'always_blocked'],
  ['82', 'incorrect_cvc'],
  ['N7', 'incorrect_cvc'],
]);

/** Decline code of a declining response code; `generic_decline` for an unknown one. */
export const declineCodeOf = (responseCode: string): DeclineCode =>
  declineCodeByResponse.get(responseCode) ?? 'generic_decline';
