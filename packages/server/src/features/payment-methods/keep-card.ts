import { type ProblemError, problem } from '@florin/contract/errors.ts';
import type { Scope } from '../../platform/database/scope.ts';
import type { Services } from '../../services.ts';

/**
 * Has the vault keep a card, which it would otherwise forget after an hour. To be called before the payment method that
 * has the card is stored: of the two, a card too many does less harm. Throws `token_unusable`.
 */
export async function keepCard(
  { relay }: Services,
  scope: Scope,
  card_pan_token: string,
): Promise<void> {
  const answer = await relay.attach({ ...scope, card_pan_token });
  if (!('error' in answer)) return;
  throw unusable();
}

/** 422 for a token that no payment method can be made of. */
export const unusable = (
  detail = 'The token is not known, is used up, or has expired.',
): ProblemError =>
  problem('token_unusable', detail, { pointer: '/data/attributes/card_pan_token' });
