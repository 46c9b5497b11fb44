/** Reasons of banks, which people know as declines. Their names say only what is wrong with the card. */
export const BANK_REASONS: ReadonlySet<string> = new Set([
  'insufficient_funds',
  'lost_card',
  'stolen_card',
  'incorrect_cvc',
  'expired_card',
  'invalid_card',
  'authentication_failed',
  'card_not_verified',
]);

/** Whether a bank declined the payment. Other payments failed before the bank saw them. */
export const isBankDecline = (code: string | null): boolean =>
  code !== null && (code === 'generic_decline' || BANK_REASONS.has(code));
