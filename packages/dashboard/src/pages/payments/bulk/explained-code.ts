import { ApiError, isStatus } from '../../../api/errors.ts';

/** Error codes of refused refunds with a text in the languages of the dashboard. */
const explained = [
  'already_refunded',
  'payment_not_succeeded',
  'no_refundable_authorization',
  'over_unrefunded',
  'refund_key_reused',
  'relationship_not_found',
  'merchant_not_approved',
  'merchant_quarantined',
  'merchant_banned',
  'forbidden',
  'rate_limited',
] as const;

/** Code of a refusal with a text of its own. Undefined for others: they show the English detail of the server. */
export function explainedCodeOf(error: unknown): (typeof explained)[number] | undefined {
  if (isStatus(error, 429)) return 'rate_limited';
  const code = error instanceof ApiError ? error.problems[0]?.code : undefined;
  return explained.find((one) => one === code);
}
