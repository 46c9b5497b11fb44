import type { VerifyAnswer, VerifyRequest } from '@florin/contract/protocol/frame.ts';
import { keepCard } from '../payment-methods/keep-card.ts';
import { answerOf, refusal } from '../threeds/answer.ts';
import { askBank, awaitAnswer, type BrowserHeaders } from '../threeds/ask.ts';
import { beginAuthentication } from '../threeds/begin.ts';
import type { ThreeDSecure } from '../threeds/threeds.ts';
import { findMounted, isOpen } from './mounted.ts';
import type { MountSession } from './session.ts';

/**
 * Verifies the card of a mounted form: the vault opens it, the bank authenticates the cardholder, and a new
 * payment method is attached to the payment with the results. The bank may want to hear from the cardholder
 * first; the form then shows its page, and asks again. A card that is sent again gets the answer of the first.
 */
export async function verifyCard(
  threeds: ThreeDSecure,
  session: MountSession,
  request: VerifyRequest,
  headers: BrowserHeaders,
): Promise<VerifyAnswer> {
  const { services, handles } = threeds;
  const mounted = await findMounted(services.db, session.scope, session.payment_id);
  if (!mounted || !isOpen(mounted)) return refusal('payment_closed');
  const card = await services.relay.ingest({
    ...session.scope,
    source: {
      kind: 'sealed',
      pan_jwe: request.pan_jwe,
      cvv_jwe: request.cvv_jwe,
      sid: session.nonce,
    },
  });
  if ('error' in card) return refusal(card.error);
  await keepCard(services, session.scope, card.card_pan_token);
  const { timezone, authentication = '', browser } = request;
  const fingerprint = handles.read('browser', authentication);
  const entry = { mounted, session, card, timezone, fingerprint };
  const begun = await beginAuthentication(services, entry);
  const row = begun.fresh
    ? await askBank(threeds, entry, begun, browser && { ...browser, ...headers })
    : await awaitAnswer(services, session.scope, begun.row);
  return (await answerOf(threeds, session.scope, row)) ?? refusal('card_not_verified');
}
