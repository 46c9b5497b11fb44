import { type ProblemError, problem } from '@florin/contract/errors.ts';
import type { Scope } from '../../platform/database/scope.ts';
import type { Services } from '../../services.ts';

/**
 * Makes the vault retain a card, which it otherwise deletes after an hour. Runs before the payment
 * method is stored: an unused card is less harmful than a missing one. Throws `token_unusable`.
 */
export async function retainCard(
  { relay }: Services,
  scope: Scope,
  card_pan_token: string,
): Promise<void> {
  const answer = await relay.attach({ ...scope, card_pan_token });
  if (!('error' in answer)) return;
  throw unusableProblem();
}

/** Error 422 for a token that cannot become a payment method. */
export const unusableProblem = (
  detail = 'The token is unknown, was already used, or has expired. Create a new token with the browser SDK.',
  attribute: 'card_pan_token' | 'network_token_jwe' = 'card_pan_token',
): ProblemError => problem('token_unusable', detail, { pointer: `/data/attributes/${attribute}` });
